// How the candidates of a search belong together, as far as the viewer may see: which turns each of the facts `$facts`
// was found in (those of the candidates `$turns`, else the nearest other, which becomes a candidate too: `found`), and
// how many turns lie between each of these turns and the one before it in its session, counted up to `$reach`.
// params: $turns, $facts, $reach, $vector
// returns: evidence, found, gaps
// mode: read
// slots: a, b

// include: here
CALL (place) {
  MATCH (fact:Memory) WHERE fact.id IN $facts
  WITH place, fact, COLLECT { MATCH (fact)-[:DERIVED_FROM]->(turn) WHERE turn.id IN $turns RETURN turn.id } AS listed
  CALL (place, fact, listed) {
    WITH place, fact WHERE size(listed) = 0
    MATCH (fact)-[:DERIVED_FROM]->(m:Memory)
    // include: visible
    // include: matching
    WITH m, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine ORDER BY cosine DESC, m.id LIMIT 1
    RETURN collect({turn: m, cosine: cosine}) AS brought
  }
  WITH fact.id AS id, listed + [each IN brought | each.turn.id] AS turns, brought WHERE size(turns) > 0
  RETURN collect({id: id, turns: turns}) AS evidence, collect(brought[0]) AS brought
}
CALL (brought) {
  UNWIND brought AS each
  WITH DISTINCT each.turn AS m, each.cosine AS cosine, each.cosine AS score
  // include: candidates
}
CALL (place, found) {
  MATCH (turn:Memory) WHERE turn.id IN $turns + [each IN found WHERE each.turn | each.id]
  WITH place, turn ORDER BY turn.session_id, turn.event_time, turn.turn
  WITH place, turn.session_id AS session, collect(turn) AS chain
  UNWIND range(1, size(chain) - 1) AS number
  WITH place, chain[number - 1] AS one, chain[number] AS next
  CALL (place, one, next) {
    MATCH (m:Memory) USING INDEX m:Memory(session_id, event_time, turn)
    WHERE m.session_id = one.session_id AND m.event_time >= one.event_time AND m.turn IS NOT NULL
      AND (m.event_time > one.event_time OR m.turn > one.turn)
      AND (m.event_time < next.event_time OR m.event_time = next.event_time AND m.turn < next.turn)
    // include: visible
    WITH m LIMIT $reach
    RETURN count(m) AS between
  }
  RETURN collect({before: one.id, id: next.id, between: between}) AS gaps
}
RETURN evidence, found, gaps
