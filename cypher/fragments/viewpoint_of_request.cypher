// Sets the `viewpoint` of a request: its chat (`group` or `private`) or, without one, `alone`, as in a private chat. A
// viewer who does not take part in that chat now has no place and sees nothing.
// The persona is that of the request; without one, that of the chat if its sessions have exactly one, else none (`''`).
// Only this fragment decides that. Somebody who looks at their own memory sees all personas' (`every_persona`) and,
// outside any chat, also what they may see in one of their `groups`: the fragment `visible` puts them there.
// In a chat the viewer looks within its space, or within none. Outside any chat `$space` is the space within which they
// look (null: all). With a space, chats of other spaces do not exist.
// expects: -
// params: $viewer, $chat, $persona, $every_persona, $space, $now
CALL () {
  OPTIONAL MATCH (me:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c:Chat {id: $chat})
    USING INDEX SEEK me:Person(id) USING INDEX SEEK c:Chat(id)
  WHERE mine.since <= $now AND mine.until > $now AND ($space IS NULL OR coalesce(c.space_id, '') IN ['', $space])
  WITH c LIMIT 1
  // The first and the last persona by the index: two sessions are read, however many there are.
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
