// Copies to the memory `m` the links of the memory `old` that it replaces: also which memories it outranks, is
// outranked by, or contradicts. A contradiction is copied only if the two say different things of a time for which
// both hold (W6).
// expects: m, old
CALL (old, m) {
  MATCH (old)-[link:ABOUT|STATED_BY|LEARNED_IN|DERIVED_FROM]->(other)
  CREATE (m)-[copy:$(type(link))]->(other)
  SET copy = properties(link)
}
CALL (old, m) {
  MATCH (over:Memory)-[rank:SUPERSEDES {outranks: true}]->(old)
  CREATE (over)-[copy:SUPERSEDES]->(m)
  SET copy = properties(rank)
}
CALL (old, m) {
  MATCH (old)-[rank:SUPERSEDES {outranks: true}]->(under:Memory)
  CREATE (m)-[copy:SUPERSEDES]->(under)
  SET copy = properties(rank)
}
CALL (old, m) {
  MATCH (old)-[link:CONTRADICTS]-(other:Memory)
  WHERE other.value_key <> m.value_key AND other.valid_from < m.valid_until AND m.valid_from < other.valid_until
  CREATE (m)-[copy:CONTRADICTS]->(other)
  SET copy = properties(link)
}
