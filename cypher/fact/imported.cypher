// Which facts that are to be imported are there already, whatever became of them since: by their keys of import, or because
// the same was stated in the same words.
// params: $facts, $scope
// returns: key
// mode: read
UNWIND $facts AS fact
WITH fact
WHERE EXISTS { (:Memory {idempotency_key: fact.key}) } OR EXISTS {
  // An index serves where each of its properties is asked for.
  MATCH (same:Memory) USING INDEX SEEK same:Memory(claim_key, valid_until)
  WHERE same.claim_key = fact.claim_key AND same.valid_until IS NOT NULL AND same.scope = $scope
}
RETURN fact.key AS key
