// Records that two entities are not the same, so that merging them is not suggested again.
// params: $one, $other, $viewer, $now
// returns: suggested
// mode: write
MATCH (:Entity {id: $one})-[maybe:MAY_BE]-(:Entity {id: $other})
SET maybe.dismissed_at = $now, maybe.dismissed_by = $viewer
RETURN count(*) AS suggested
