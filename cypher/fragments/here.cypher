// Whether the viewer takes part in the chat of the request, judged by today's memberships (M14).
// expects: -
// params: $viewer, $chat, $now
CALL () {
  RETURN EXISTS {
    (:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(:Chat {id: $chat})
    WHERE mine.since <= $now AND mine.until > $now
  } AS takes_part
}
