// Allows a write in the chat `c` only to those who take part in it now and to credentials with the right to it
// (`graph.rights`); for anybody else the chat does not exist (P3, P4). Follows the MATCH of the chat.
// expects: c
// params: $viewer, $by_right, $now
WHERE $by_right OR EXISTS {
  MATCH (me:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c) USING INDEX SEEK me:Person(id) WHERE mine.since <= $now AND mine.until > $now
}
