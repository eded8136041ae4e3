// The memories and entities without a vector of the answering model that no queue holds: what the doctor counts is
// what is requeued.
// expects: -
// params: $dimensions, $model
MATCH (lost:Memory|Entity)
WHERE NOT lost:Pending AND NOT lost:Failed
  AND (NOT coalesce(lost.embedding_model_$$slot = $model AND size(lost.embedding_$$slot) = $dimensions, false)
       OR lost:Entity AND lost.sounds IS NULL)
