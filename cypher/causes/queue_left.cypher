// Queues consolidated sessions in which a link between turns was not yet examined for causes, among the `$limit`
// sessions whose ids come after `$position`. The returned `position` is where to continue, null at the end.
// params: $position, $limit, $now, $no_end
// returns: changed, position
// mode: write

// include: page_of_ids(label=Session)
CALL (page) {
  UNWIND page AS s
  WITH s WHERE s.consolidated_at IS NOT NULL AND s.ended_at < $no_end AND NOT s:Pending AND NOT s:Failed AND EXISTS {
    MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
    WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL AND EXISTS {
      MATCH (m)<-[link:TEMPORAL]-(one:Memory) WHERE one.session_id = s.id AND link.examined_at IS NULL
    }
  }
  // include: queued(node=s, job='infer_causes', due_at=$now)
  RETURN count(s) AS changed
}
RETURN changed,
       // include: next_position
