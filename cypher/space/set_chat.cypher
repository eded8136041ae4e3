// Puts a chat in which the viewer takes part into a space that they may use, or into none (`''`): a private chat into any of
// these, a group into one of its own, or, where nobody else in it has an account, into the viewer's. What was said there is moved by `space/move_page`, from the spaces that are noted. Without
// a row there is no such chat; where there is no such space for it (`fits` is false), nothing changes.
// params: $chat, $target
// returns: fits, chat
// mode: write

// include: my_chats
MATCH (c:Chat {id: $chat}) WHERE c.id IN my_chats
SET c.lock = $now
WITH my_chats, c
OPTIONAL CALL (my_chats, c) {
  MATCH (s:Space {id: $target})
  // include: my_space
  WITH * WHERE c.kind = 'private' OR s.chat_id = c.id OR s.owner_id = $viewer AND NOT EXISTS {
    MATCH (other:Person)-[part:PARTICIPATES_IN]->(c)
    WHERE other.id <> $viewer AND other.user_id IS NOT NULL AND part.until > $now
  }
  SET s.lock = $now
  RETURN s
}
WITH c, $target = '' OR s IS NOT NULL AS fits
WITH c, fits, fits AND c.space_id <> $target AS moves
SET c.moving_from = CASE WHEN moves THEN coalesce(c.moving_from, []) + c.space_id ELSE c.moving_from END,
    c.space_id = CASE WHEN moves THEN $target ELSE c.space_id END
RETURN fits, c {.id, .kind, .title, .created_at, .extraction, .space_id, .time_zone} AS chat
