// Counts the memories that lack a vector of the model that fills a slot, and all memories.
// params: $model, $dimensions
// returns: remaining, total
// mode: read
// slots: a, b
MATCH (n:Memory)
RETURN count(CASE WHEN NOT coalesce(n.embedding_model_$$slot = $model AND size(n.embedding_$$slot) = $dimensions, false)
             THEN 1 END) AS remaining, count(n) AS total
