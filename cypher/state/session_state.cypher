// What a viewer and a persona carry over from session to session: the number of the viewer's messages, the last turn of
// anybody and the last one of the viewer, in the chats in which the viewer takes part. For their private talk also when
// summaries and the curator (consolidation) last ran, on how many memories, how often they succeeded, how many items
// fail now, and the error of one of them.
// params: $persona, $no_end
// returns: messages, last_interaction, last_message, summaries, curator
// mode: read

// include: my_chats
CALL (my_chats) {
  MATCH (:Person {id: $viewer})<-[:STATED_BY]-(said:Memory)
  WHERE said.turn IS NOT NULL AND said.persona_id = $persona AND said.learned_in IN my_chats
    AND said.retired_at = $no_end AND said.status = 'active'
  RETURN count(said) AS messages
}
// include: last_turn(wanted=true, name=last_interaction)
// include: last_turn(wanted=m.speaker_id = $viewer, name=last_message)
CALL (my_chats) {
  UNWIND my_chats AS chat
  MATCH (c:Chat {id: chat, kind: 'private'})
  MATCH (s:Session) USING INDEX SEEK s:Session(chat_id, persona_id, started_at)
  WHERE s.chat_id = c.id AND s.persona_id = $persona AND s.started_at IS NOT NULL
  WITH s ORDER BY s.consolidated_at DESC
  RETURN {ran_at: max(s.consolidated_at), memories: coalesce(sum(s.turn_count), 0), succeeded: count(s.consolidated_at),
          failed: count(s.failure), failure: collect(s.failure)[0]} AS curator
}
CALL () {
  CALL () {
    MATCH (made:Summary) USING INDEX SEEK made:Summary(line, created_at)
    WHERE made.line IN ['rolling|' + $viewer + '|' + $persona, 'spine|' + $viewer + '|'] AND made.created_at IS NOT NULL
    RETURN made
  UNION
    MATCH (made:SessionSummary)
    WHERE made.scope = $viewer AND made.persona_id = $persona AND made.until IS NOT NULL AND made.id IS NOT NULL
    RETURN made
  }
  WITH made ORDER BY made.created_at DESC
  WITH collect(made) AS all_made
  WITH all_made[0] AS latest, size(all_made) AS succeeded
  OPTIONAL MATCH (failed:SummaryRequest)
  WHERE failed.scope = $viewer AND failed.persona_id = $persona AND failed.failure IS NOT NULL
  WITH latest, succeeded, collect(failed) AS failures
  RETURN {ran_at: latest.created_at, memories: COUNT { MATCH (latest)-[:DERIVED_FROM]->() }, succeeded: succeeded,
          failed: size(failures), failure: failures[0].failure} AS summaries
}
RETURN messages, last_interaction, last_message, summaries, curator
