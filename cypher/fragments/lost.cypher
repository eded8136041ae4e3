// The memories `m` without a vector of the answering model that no queue holds: what the doctor counts is what is
// requeued.
// expects: -
// params: $dimensions, $model
MATCH (m:Memory)
WHERE NOT m:Pending AND NOT m:Failed
  AND (m.embedding_$$slot IS NULL OR size(m.embedding_$$slot) <> $dimensions OR m.embedding_model_$$slot <> $model)
