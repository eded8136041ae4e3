// Where the viewer stands: in the chat of the request (`group` or `private`) or, with none given, `alone` as in a
// private one. Who takes no part in that chat today stands nowhere and sees nothing. With the request's persona; with none
// named, with that of the chat where its sessions have exactly one, else with none (`''`). Here alone that is decided. Who
// looks at their own memory sees all personas' (`every_persona`), and outside any chat what they may see in one of their `groups`
// too: the fragment `visible` puts them there. In a chat they look within its space, or within none. `$space`
// says within which they look outside any chat (null: within all), and with one the chats of others are not there.
// expects: -
// params: $viewer, $chat, $persona, $every_persona, $space, $now
CALL () {
  OPTIONAL MATCH (me:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c:Chat {id: $chat})
    USING INDEX SEEK me:Person(id) USING INDEX SEEK c:Chat(id)
  WHERE mine.since <= $now AND mine.until > $now AND ($space IS NULL OR coalesce(c.space_id, '') IN ['', $space])
  WITH c LIMIT 1
  // The first and the last by the index: a look at two sessions, however many there are.
  CALL (c) {
    OPTIONAL MATCH (s:Session) USING INDEX SEEK s:Session(chat_id, persona_id, started_at)
    WHERE $persona = '' AND s.chat_id = c.id AND s.persona_id > '' AND s.started_at IS NOT NULL
    RETURN s.persona_id AS first_persona ORDER BY s.chat_id, s.persona_id, s.started_at LIMIT 1
  }
  CALL (c) {
    OPTIONAL MATCH (s:Session) USING INDEX SEEK s:Session(chat_id, persona_id, started_at)
    WHERE $persona = '' AND s.chat_id = c.id AND s.persona_id > '' AND s.started_at IS NOT NULL
    RETURN s.persona_id AS last_persona ORDER BY s.chat_id DESC, s.persona_id DESC, s.started_at DESC LIMIT 1
  }
  RETURN {
    group: CASE c.kind WHEN 'group' THEN c.id END,
    private: CASE c.kind WHEN 'private' THEN c.id END,
    alone: $chat = '' OR coalesce(c.kind = 'private', false),
    persona: CASE WHEN first_persona = last_persona THEN first_persona ELSE $persona END,
    every_persona: $every_persona,
    space: CASE $chat WHEN '' THEN $space ELSE coalesce(c.space_id, '') END,
    within: CASE $chat WHEN '' THEN $space ELSE coalesce(c.space_id, '') END,
    every_space: $chat = '' AND $space IS NULL,
    groups: COLLECT {
      MATCH (me:Person {id: $viewer})-[part:PARTICIPATES_IN]->(g:Chat {kind: 'group'})
      WHERE $chat = '' AND $every_persona AND part.since <= $now AND part.until > $now
        AND ($space IS NULL OR coalesce(g.space_id, '') IN ['', $space])
      WITH DISTINCT g ORDER BY g.id
      RETURN {id: g.id, space: coalesce(g.space_id, '')}
    }
  } AS viewpoint
}
