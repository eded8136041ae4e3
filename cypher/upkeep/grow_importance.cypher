// Raises the importance of memories by the days on which they were said again: to at least 1 from 3 days on, and to 2
// from 7 days on (W9). Goes through the memories by id, as `upkeep/fade` does.
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
