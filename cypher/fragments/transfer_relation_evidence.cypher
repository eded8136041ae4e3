// Lets the memory `m` bear out what the memory `old` does, in whose place it stands: what entities are to each other.
// expects: m, old
CALL (old, m) {
  MATCH (old)-[:ABOUT]->(:Entity)-[related:RELATED_TO]-(:Entity) WHERE old.id IN related.evidence
  WITH DISTINCT m, related
  SET related.evidence = [id IN related.evidence WHERE id <> m.id] + m.id
}
