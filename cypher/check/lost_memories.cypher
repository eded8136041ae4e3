// Memories without a vector of the answering model that no queue holds.
// params: $dimensions, $model
// returns: found, examples
// mode: read
// slots: a, b
MATCH (m:Memory)
WHERE NOT m:Pending AND NOT m:Failed
  AND (m.embedding_$$slot IS NULL OR size(m.embedding_$$slot) <> $dimensions OR m.embedding_model_$$slot <> $model)
RETURN count(m) AS found, collect(m.id)[..5] AS examples
