// Lets a write in the chat `c` go on for those who take part in it now, and for a trusted service; for others the chat
// is not there (P3, P4 in a first version). Stands behind the MATCH of the chat.
// expects: c
// params: $viewer, $trusted, $now
WHERE $trusted OR EXISTS {
  (:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c) WHERE mine.since <= $now AND mine.until > $now
}
