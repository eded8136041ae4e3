// Suggests merging two entities at somebody's request, even if the suggestion was dismissed before.
// params: $one, $other, $reason, $now
// returns: -
// mode: write
MATCH (one:Entity {id: $one}), (other:Entity {id: $other})
MERGE (one)-[maybe:MAY_BE]-(other)
ON CREATE SET maybe.created_at = $now
SET maybe.score = 1.0, maybe.reason = $reason
REMOVE maybe.dismissed_at, maybe.dismissed_by
