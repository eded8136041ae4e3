// The values of a key of the viewer's state as known at a moment, the latest start first, after a position in the list.
// `$lines` are those of the persona and the space, then of none, in order of precedence. `is_current` marks the value
// that holds at the other moment.
// params: $lines, $until, $until_id, $limit
// returns: state, is_current
// mode: read

// include: state_times
CALL (as_of, known_at) {
  UNWIND range(0, size($lines) - 1) AS place
  CALL (place, as_of, known_at) {
    MATCH (s:UserState) USING INDEX SEEK s:UserState(line, valid_from, id)
    WHERE s.line = $lines[place] AND s.valid_from <= as_of AND s.id IS NOT NULL
    // include: known_states
    RETURN s.id AS holding ORDER BY s.line DESC, s.valid_from DESC, s.id DESC LIMIT 1
  }
  WITH holding ORDER BY place LIMIT 1
  RETURN collect(holding) AS current
}
UNWIND $lines AS line
CALL (line, known_at) {
  MATCH (s:UserState) USING INDEX SEEK s:UserState(line, valid_from, id)
  WHERE s.line = line AND s.valid_from <= $until AND s.id IS NOT NULL AND CASE s.valid_from WHEN $until THEN s.id < $until_id ELSE true END
  // include: known_states
  RETURN s ORDER BY s.line DESC, s.valid_from DESC, s.id DESC LIMIT $limit
}
WITH s, known_at, current ORDER BY s.valid_from DESC, s.id DESC LIMIT $limit
// include: as_state
RETURN state, s.id IN current AS is_current ORDER BY s.valid_from DESC, s.id DESC
