// The memories without a vector of the answering model, without token vectors where it gives them (`$tokens`), or without the
// parts that a text of over `$long` characters may have, and the entities without sounds of their names, that no queue
// holds: what the doctor counts is what is requeued.
// params: $dimensions, $model, $tokens, $long
MATCH (lost:Memory|Entity)
WHERE NOT lost:Pending AND NOT lost:Failed
  AND (lost:Memory AND NOT coalesce(lost.embedding_model_$$slot = $model AND size(lost.embedding_$$slot) = $dimensions
                                       AND (NOT $tokens OR lost.embedding_tokens_$$slot IS NOT NULL)
                                       AND (size(lost.content) <= $long OR lost.embedding_parts_$$slot
                                            = COUNT { (lost)-[part:HAS_PART]->(lost) WHERE part.embedding_$$slot IS NOT NULL }),
                                       false)
       OR lost:Entity AND lost.sounds IS NULL)
