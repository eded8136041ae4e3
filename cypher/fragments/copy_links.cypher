// Gives the memory `m` what the memory `old`, in whose place it stands, was linked to, and whom it outranks or is
// outranked by (W6).
// expects: m, old
// params: -
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
