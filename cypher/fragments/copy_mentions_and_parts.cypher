// Copies to the memory `m` what the memory `old` mentions, and the parts of its long text.
// expects: old, m
CALL (old, m) {
  MATCH (old)-[link:MENTIONS]->(other)
  CREATE (m)-[copy:MENTIONS]->(other)
  SET copy = properties(link)
}
CALL (old, m) {
  MATCH (old)-[part:HAS_PART]->(old)
  CREATE (m)-[copy:HAS_PART]->(m)
  SET copy = properties(part)
}
