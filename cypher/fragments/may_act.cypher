// Lets a write in the chat `c` go on for those who take part in it now, and for whose credential has the right to it
// (`graph.rights`); for others the chat is not there (P3, P4). Stands behind the MATCH of the chat.
// expects: c
// params: $viewer, $by_right, $now
WHERE $by_right OR EXISTS {
  MATCH (me:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c) USING INDEX SEEK me:Person(id) WHERE mine.since <= $now AND mine.until > $now
}
