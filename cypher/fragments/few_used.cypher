// Leaves as `chosen`, of the memories `some`, the first that were told in 20,000 answers together, one at least: so many
// are deleted at a time.
// expects: erasure, some
CALL (some) {
  UNWIND some AS m
  RETURN collect({memory: m, uses: COUNT { (m)<-[:USED]-() }}) AS weighed
}
WITH erasure, reduce(taken = {memories: [], uses: 0}, one IN weighed |
  CASE WHEN taken.uses >= 20000 THEN taken ELSE {memories: taken.memories + [one.memory], uses: taken.uses + one.uses} END
).memories AS chosen
