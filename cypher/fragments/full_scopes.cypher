// Which of the owners and groups `scopes` have `$most_waiting` memories that wait for their turn, as `full`; none where that
// is null. They are counted only where their places in the queue are so far ahead, and no further than to that number: who
// writes no faster than places move on is asked for nothing but their places.
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
