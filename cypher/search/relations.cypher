// How the candidates of a search are related, as far as the viewer may see.
// `gaps`: the number of turns, counted up to `$reach`, between each of the turns `$turns` and the one of them before it
// in the same session.
// `evidence`: the turns from which each of the facts `$facts` was extracted: those among `$turns`, else one other that
// passes the filters too. A turn that states what a fact corrects does not count. The original of a shared fact counts
// as a turn does, if it is among `$facts`.
// params: $turns, $facts, $reach
// returns: evidence, gaps
// mode: read

// include: viewpoint_of_request
CALL (viewpoint) {
  MATCH (fact:Memory) WHERE fact.id IN $facts
  WITH viewpoint, fact, COLLECT {
    MATCH (fact)-[from:DERIVED_FROM]->(turn)
    WHERE turn.id IN $turns AND coalesce(from.quoted, true) OR turn.id IN $facts AND from.shared
    RETURN turn.id
  } AS listed
  CALL (viewpoint, fact, listed) {
    WITH viewpoint, fact WHERE size(listed) = 0
    MATCH (fact)-[from:DERIVED_FROM]->(m:Memory) WHERE coalesce(from.quoted, true)
    // include: visible
    // include: matching
    WITH m LIMIT 1
    RETURN collect(m.id) AS other
  }
  WITH fact.id AS id, listed + other AS turns WHERE size(turns) > 0
  RETURN collect({id: id, turns: turns}) AS evidence
}
CALL (viewpoint) {
  MATCH (turn:Memory) WHERE turn.id IN $turns
  WITH viewpoint, turn ORDER BY turn.session_id, turn.event_time, turn.turn
  WITH viewpoint, turn.session_id AS session, collect(turn) AS chain
  UNWIND range(1, size(chain) - 1) AS number
  WITH viewpoint, chain[number - 1] AS one, chain[number] AS next
  CALL (viewpoint, one, next) {
    MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
    WHERE m.session_id = one.session_id AND m.event_time >= one.event_time AND m.event_time <= next.event_time
      AND m.turn IS NOT NULL AND CASE m.event_time WHEN one.event_time THEN m.turn > one.turn ELSE true END
      AND CASE m.event_time WHEN next.event_time THEN m.turn < next.turn ELSE true END
    // include: visible
    WITH m LIMIT $reach
    RETURN count(m) AS between
  }
  RETURN collect({before: one.id, id: next.id, between: between}) AS gaps
}
RETURN evidence, gaps
