// Where the viewer stands: in the chat of the request (`group` or `private`) or, with none given, `alone` as in a
// private one; with the request's persona. Who takes no part in that chat today stands nowhere and sees nothing.
// expects: -
// params: $viewer, $chat, $persona, $now
CALL () {
  OPTIONAL MATCH (:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c:Chat {id: $chat})
  WHERE mine.since <= $now AND mine.until > $now
  WITH c LIMIT 1
  RETURN {
    group: CASE c.kind WHEN 'group' THEN c.id END,
    private: CASE c.kind WHEN 'private' THEN c.id END,
    alone: $chat = '' OR coalesce(c.kind = 'private', false),
    persona: $persona
  } AS viewpoint
}
