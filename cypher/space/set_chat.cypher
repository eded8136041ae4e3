// Puts a chat in which the viewer takes part into a space that they may use, or into none (`''`). A private chat may be
// in any of these, a group in one of its own, or, if nobody else in it has an account, in one of the viewer's. The
// space that the chat leaves is noted, and `space/move_page` moves from there what was said. Returns no row if there is
// no such chat for the viewer. If there is no such space for the chat, `fits` is false and nothing changes.
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
