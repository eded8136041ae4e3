// Moves a page of what was said in a chat, after a position, from the spaces noted in `moving_from` to the present
// space of the chat, with the facts that were extracted from it alone. Facts with evidence elsewhere stay there, and
// the sessions are consolidated again, so that they are extracted anew here. `again` lists the facts that hold again
// since the move (fragment moved_to_space). The last page ends the move, and queues new summaries of the latest talk of
// the space.
// params: $chat, $from_time, $from_id, $limit, $no_end, $ids
// returns: moved, again, time, id
// mode: write
MATCH (c:Chat {id: $chat}) USING INDEX SEEK c:Chat(id) WHERE c.moving_from IS NOT NULL
SET c.lock = $now
WITH c, c.space_id AS target, [space IN c.moving_from WHERE space <> c.space_id] AS left,
     COLLECT { MATCH (s:Space {id: c.space_id}) UNWIND s.facets AS facet RETURN facet } AS words,
     COLLECT { MATCH (s:Space) WHERE s.id IN c.moving_from UNWIND s.facets AS facet RETURN facet } AS gone_words
CALL (c) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(learned_in, event_time, id)
  WHERE m.learned_in = c.id AND m.event_time >= $from_time AND m.id IS NOT NULL
    AND CASE m.event_time WHEN $from_time THEN m.id > $from_id ELSE true END
  WITH m ORDER BY m.learned_in, m.event_time, m.id LIMIT $limit
  RETURN collect(m) AS page
}
CALL (page, left, c) {
  UNWIND page AS m
  WITH m, c, left WHERE m.space_id IN left AND NOT m:Summary
  CALL (m, left) {
    RETURN m AS one
  UNION
    MATCH (m:Episodic)<-[:DERIVED_FROM]-(one:Memory) WHERE one.space_id IN left AND NOT one:Summary
    RETURN one
  }
  WITH DISTINCT one, c
  RETURN collect({memory: one, stays: EXISTS {
    MATCH (one)-[from:DERIVED_FROM]->(turn:Memory)
    WHERE from.shared IS NULL AND turn.learned_in <> c.id AND turn.retired_at = $no_end
  }}) AS found
}
CALL (page, found) {
  UNWIND [each IN found WHERE each.stays | each.memory] AS shared
  MATCH (shared)-[from:DERIVED_FROM]->(turn:Memory) WHERE turn IN page
  WITH turn, from, size(coalesce(from.said, [])) > 0 AS read
  DELETE from
  WITH collect(DISTINCT CASE WHEN read THEN turn.session_id END) AS sessions
  UNWIND sessions AS session
  MATCH (s:Session {id: session})
  WITH s ORDER BY s.id
  SET s.asked = true, s.unconsolidated = true
  // include: session_queued(session=s, job='consolidate', due_at=$now)
}
WITH c, page, target, words, gone_words, [each IN found WHERE NOT each.stays | each.memory] AS moving
// include: moved_to_space
WITH c, page, moving, again, size(page) < $limit AS done
CALL (c, done) {
  WITH c WHERE done
  REMOVE c.moving_from
  WITH c
  MATCH (s:Session) USING INDEX SEEK s:Session(chat_id, persona_id, started_at)
  WHERE s.chat_id = c.id AND s.persona_id IS NOT NULL AND s.started_at IS NOT NULL
  WITH c, s.persona_id AS persona, max(s.last_activity_at) AS until
  WITH {line: 'rolling|' + c.scope + '|' + persona + CASE c.space_id WHEN '' THEN '' ELSE '|' + c.space_id END,
        kind: 'rolling', persona_id: persona, scope: c.scope, session_id: '', space_id: c.space_id, until: until,
        chat_id: CASE c.kind WHEN 'group' THEN c.id ELSE '' END} AS request
  // include: summary_queued
}
RETURN size(moving) AS moved, again, CASE WHEN NOT done THEN page[-1].event_time END AS time,
       CASE WHEN NOT done THEN page[-1].id END AS id
