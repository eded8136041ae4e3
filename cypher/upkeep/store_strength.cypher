// Stores the strength of memories at `$moment`: importance · e^(−t/S), t days after the last access, S the stability in
// days (T1). It is for people who look at the graph; no read depends on it. Goes through the memories by id, as
// `upkeep/fade` does.
// params: $position, $limit, $moment, $no_end
// returns: changed, position
// mode: write

// include: page_of_ids(label=Memory)
CALL (page) {
  UNWIND page AS m
  WITH m WHERE m.retired_at = $no_end
  WITH m, CASE WHEN m.pinned THEN 3 WHEN m.grown_importance > m.importance THEN m.grown_importance
               ELSE m.importance END AS weight, ($moment.epochMillis - coalesce(m.last_accessed_at, m.created_at).epochMillis) / 86400000.0 AS days
  WITH m, weight * exp(-CASE WHEN days > 0 THEN days ELSE 0.0 END / m.stability) AS strength
  WHERE coalesce(m.strength <> strength, true)
  SET m.strength = strength
  RETURN count(m) AS changed
}
RETURN changed,
       // include: next_position
