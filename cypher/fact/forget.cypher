// Stops believing a memory from now on (M13): what was known before stays as it was.
// params: $id, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: home
// include: ever
// include: visible
// include: may_change
// include: still
WITH m, allowed
CALL (m, allowed) {
  WITH m WHERE allowed
  SET m.retired_at = $now, m.retired_by = 'forgotten', m.changed_by = $viewer
  REMOVE m.live_key
  WITH m
  // include: about_marks
}
RETURN allowed
