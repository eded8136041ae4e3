// Makes the memory `m` evidence of the relations between entities that the memory `old`, which it replaces, is evidence
// of.
// expects: m, old
CALL (old, m) {
  MATCH (old)-[:ABOUT]->(:Entity)-[related:RELATED_TO]-(:Entity) WHERE old.id IN related.evidence
  WITH DISTINCT m, related
  SET related.evidence = [id IN related.evidence WHERE id <> m.id] + m.id
}
