// Opens, closes or drops a todo of the viewer.
// params: $id, $status
// returns: todo
// mode: write

// include: my_chats
MATCH (t:Todo {id: $id}) WHERE t.person_id = $viewer
// include: shown_todo
SET t.status = $status, t.updated_at = $now, t.closed_at = CASE $status WHEN 'open' THEN null ELSE $now END
RETURN
  // include: as_todo
