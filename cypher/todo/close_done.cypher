// Closes the todos that turns report done, if it is clear which one is meant: the only open one with that verb and all
// of the words in the turn's report, or, if a pronoun stands for it (no words), the only open one with that verb in the
// session. A todo that was reopened after a turn closed it is not closed by that turn again.
// params: $rows, $now, $no_end
// returns: -
// mode: write
UNWIND $rows AS row
MATCH (turn:Memory {id: row.turn}) WHERE turn.retired_at = $no_end
CALL (row, turn) {
  MATCH (t:Todo) USING INDEX SEEK t:Todo(person_id, persona_id, created_at, id)
  WHERE t.person_id = turn.speaker_id AND t.persona_id = turn.persona_id AND t.created_at IS NOT NULL AND t.id IS NOT NULL
    AND t.status = 'open' AND t.verb IN row.verbs AND t.scope = turn.scope AND coalesce(t.space_id, '') = turn.space_id AND t.said_at < turn.event_time
    AND CASE WHEN size(row.words) = 0 THEN t.session_id = turn.session_id ELSE all(word IN row.words WHERE word IN t.words) END
  RETURN collect(t) AS meant
}
WITH turn, meant WHERE size(meant) = 1
WITH turn, meant[0] AS t WHERE NOT turn.id IN coalesce(t.told_done_by, [])
SET t.status = 'done', t.closed_at = $now, t.updated_at = $now, t.told_done_by = coalesce(t.told_done_by, []) + turn.id
