// Pairs of entities that may be the same, likeliest first, after a position in the list: those where the viewer may
// know of both (M15), and that nobody dismissed.
// params: $score, $one, $other, $limit
// returns: one, other, score, reason
// mode: read

// include: my_chats
MATCH (one:Entity)-[maybe:MAY_BE]->(other:Entity)
WITH *, toInteger(round(maybe.score * 1000)) AS score
WHERE maybe.dismissed_at IS NULL
  AND (score < $score OR score = $score AND [one.id, other.id] > [$one, $other])
WITH * ORDER BY score DESC, one.id, other.id
CALL (one, other, my_chats, my_groups) {
  UNWIND [one, other] AS e
  // include: known_of
  RETURN count(*) AS known_ends
}
WITH * WHERE known_ends = 2
WITH * ORDER BY score DESC, one.id, other.id LIMIT $limit
RETURN one.id AS one, other.id AS other, score, maybe.reason AS reason
