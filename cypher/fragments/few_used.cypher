// Leaves as `chosen` the first of the memories `some`, at least one, until they were told in 20,000 answers together.
// This limits the size of one deletion.
// expects: erasure, some
CALL (some) {
  UNWIND some AS m
  RETURN collect({memory: m, uses: COUNT { (m)<-[:USED]-() }}) AS weighed
}
WITH erasure, reduce(taken = {memories: [], uses: 0}, one IN weighed |
  CASE WHEN taken.uses >= 20000 THEN taken ELSE {memories: taken.memories + [one.memory], uses: taken.uses + one.uses} END
).memories AS chosen
