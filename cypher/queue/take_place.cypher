// Takes places in the queue for so many facts of an owner or a group: when they are due.
// params: $scope, $items, $apart, $now
// returns: due_at
// mode: write
MERGE (place:Lock {name: 'place facts ' + $scope})
SET place.at = $now
WITH place, CASE WHEN place.next > $now THEN place.next ELSE $now END AS due_at
SET place.next = due_at + duration({milliseconds: $apart * $items})
RETURN due_at
