// The memories without a vector of the answering model, and the entities without sounds of their names, that no queue holds:
// what the doctor counts is what is requeued.
// expects: -
// params: $dimensions, $model
MATCH (lost:Memory|Entity)
WHERE NOT lost:Pending AND NOT lost:Failed
  AND (lost:Memory AND NOT coalesce(lost.embedding_model_$$slot = $model AND size(lost.embedding_$$slot) = $dimensions, false)
       OR lost:Entity AND lost.sounds IS NULL)
