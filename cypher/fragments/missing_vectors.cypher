// Finds memories and entities (`lost`) that lack index data and are in no queue. A memory lacks a vector of the
// answering model, token vectors where the model gives them (`$tokens`), or the parts that a text of over `$long`
// characters may have. An entity lacks the sounds of its names. The doctor counts by this condition, and the same ones
// are requeued.
// params: $dimensions, $model, $tokens, $long
MATCH (lost:Memory|Entity)
WHERE NOT lost:Pending AND NOT lost:Failed
  AND (lost:Memory AND NOT coalesce(lost.embedding_model_$$slot = $model AND size(lost.embedding_$$slot) = $dimensions
                                       AND (NOT $tokens OR lost.embedding_tokens_$$slot IS NOT NULL)
                                       AND (size(lost.content) <= $long OR lost.embedding_parts_$$slot
                                            = COUNT { (lost)-[part:HAS_PART]->(lost) WHERE part.embedding_$$slot IS NOT NULL }),
                                       false)
       OR lost:Entity AND lost.sounds IS NULL)
