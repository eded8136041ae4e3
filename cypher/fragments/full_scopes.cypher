// The owners and groups of `scopes` that have `$most_waiting` queued memories, as `full`; none if the limit is null.
// Memories are counted only if the scope's places in the queue lie so far ahead, and only up to the limit. So for
// those who write no faster than the queue moves on, only the places are read.
// expects: scopes
// params: $most_waiting, $apart, $now
CALL (scopes) {
  UNWIND scopes AS scope
  WITH scope WHERE $most_waiting IS NOT NULL
  MATCH (place:Lock)
  WHERE place.name IN ['place live ' + scope, 'place bulk ' + scope, 'place facts ' + scope] AND place.next > $now
  WITH scope, sum(place.next.epochMillis - $now.epochMillis) / $apart AS ahead
  WHERE ahead >= $most_waiting
  WITH scope, COUNT { MATCH (waiting:Pending {scope: scope}) WITH waiting LIMIT $most_waiting RETURN waiting } AS waiting
  WHERE waiting >= $most_waiting
  RETURN collect(scope) AS full
}
