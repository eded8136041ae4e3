// The memories without a vector of the answering model, or without token vectors where it gives them (`$tokens`), and the
// entities without sounds of their names, that no queue holds: what the doctor counts is what is requeued.
// expects: -
// params: $dimensions, $model, $tokens
MATCH (lost:Memory|Entity)
WHERE NOT lost:Pending AND NOT lost:Failed
  AND (lost:Memory AND NOT coalesce(lost.embedding_model_$$slot = $model AND size(lost.embedding_$$slot) = $dimensions
                                       AND (NOT $tokens OR lost.embedding_tokens_$$slot IS NOT NULL), false)
       OR lost:Entity AND lost.sounds IS NULL)
