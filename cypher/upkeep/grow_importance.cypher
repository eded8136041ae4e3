// Lets memories be as important as the days on which they were said again make them: 3 days at least 1, 7 days 2 (W9). Goes
// through the ids as `upkeep/fade` does.
// params: $position, $limit, $no_end
// returns: changed, position
// mode: write

// include: page_of_ids(label=Memory)
CALL (page) {
  UNWIND page AS m
  WITH m, size(coalesce(m.said_on, [])) AS days WHERE days >= 3 AND m.retired_at = $no_end
  WITH m, CASE WHEN days >= 7 THEN 2 ELSE 1 END AS grown WHERE coalesce(m.grown_importance, 0) < grown
  SET m.grown_importance = grown
  RETURN count(m) AS changed
}
RETURN changed,
       // include: next_position
