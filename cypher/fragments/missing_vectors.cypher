// The memories and entities without a vector of the answering model that no queue holds: what the doctor counts is
// what is requeued.
// expects: -
// params: $dimensions, $model
MATCH (lost:Memory|Entity)
WHERE NOT lost:Pending AND NOT lost:Failed
  AND (lost.embedding_$$slot IS NULL OR size(lost.embedding_$$slot) <> $dimensions
       OR lost.embedding_model_$$slot <> $model OR lost:Entity AND lost.sounds IS NULL)
