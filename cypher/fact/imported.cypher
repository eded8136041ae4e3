// The keys of those facts to be imported that are already stored, retired or not: found by their import key, or
// because the same was stated in the same words.
// params: $facts, $scope
// returns: key
// mode: read
UNWIND $facts AS fact
WITH fact
WHERE EXISTS { (:Memory {idempotency_key: fact.key}) } OR EXISTS {
  // The planner uses an index only if the predicate has each of its properties.
  MATCH (same:Memory) USING INDEX SEEK same:Memory(claim_key, valid_until)
  WHERE same.claim_key = fact.claim_key AND same.valid_until IS NOT NULL AND same.scope = $scope
}
RETURN fact.key AS key
