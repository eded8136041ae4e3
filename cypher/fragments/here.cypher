// Where the viewer stands: the chat and the persona of the request, and whether they take part in that chat, judged
// by today's memberships (M14).
// expects: -
// params: $viewer, $chat, $persona, $now
CALL () {
  RETURN {
    chat: $chat,
    persona: $persona,
    takes_part: EXISTS {
      (:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(:Chat {id: $chat})
      WHERE mine.since <= $now AND mine.until > $now
    }
  } AS place
}
