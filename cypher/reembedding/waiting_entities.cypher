// Entities without a vector of the model that fills a slot, in the order of their ids from a place on, with what is
// embedded of them.
// params: $model, $dimensions, $after, $limit
// returns: id, type, names, content, heading
// mode: read
// slots: a, b
MATCH (e:Entity)
WHERE e.id > $after AND NOT coalesce(e.embedding_model_$$slot = $model AND size(e.embedding_$$slot) = $dimensions, false)
RETURN e.id AS id, e.type AS type, [e.canonical_name] + e.aliases AS names, '' AS content, '' AS heading
ORDER BY e.id LIMIT $limit
