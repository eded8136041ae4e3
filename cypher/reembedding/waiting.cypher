// A page of the memories without a vector of the model that fills a slot, after an id and ordered by id, with the text
// to embed.
// params: $model, $dimensions, $after, $limit
// returns: id, content, heading
// mode: read
// slots: a, b
MATCH (m:Memory)
WHERE m.id > $after AND NOT coalesce(m.embedding_model_$$slot = $model AND size(m.embedding_$$slot) = $dimensions, false)
RETURN m.id AS id, m.content AS content, coalesce(m.heading, '') AS heading
ORDER BY m.id LIMIT $limit
