// The viewer's todos with a persona (for a viewer with all personas: with any), newest first, after a position in the
// list: of some statuses and kinds, and with `$overdue` only overdue ones. Appointments whose day is over are left out.
// params: $persona, $every_persona, $statuses, $kinds, $overdue, $until, $until_id, $limit
// returns: todo
// mode: read

// include: my_chats
WITH *,
  CASE WHEN $every_persona THEN [''] + COLLECT { MATCH (p:Persona) RETURN p.id } ELSE [$persona] END AS personas
MATCH (t:Todo) USING INDEX SEEK t:Todo(person_id, persona_id, created_at, id)
WHERE t.person_id = $viewer AND t.persona_id IN personas AND t.created_at <= $until AND t.id IS NOT NULL
  AND CASE t.created_at WHEN $until THEN t.id < $until_id ELSE true END
  AND t.status IN $statuses AND t.kind IN $kinds AND (NOT $overdue OR t.status = 'open' AND t.due_until <
    // include: due_clock
  )
  AND NOT
  // include: over
WITH * ORDER BY t.created_at DESC, t.id DESC
// include: shown_todo
WITH t ORDER BY t.created_at DESC, t.id DESC LIMIT $limit
RETURN
  // include: as_todo
ORDER BY t.created_at DESC, t.id DESC
