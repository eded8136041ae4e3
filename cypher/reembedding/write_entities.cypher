// Writes vectors of entities into a slot: of those that still are called as was embedded.
// params: $rows, $model
// returns: written
// mode: write
// slots: a, b
UNWIND $rows AS row
MATCH (e:Entity {id: row.id}) WHERE [e.canonical_name] + e.aliases = row.names
SET e.embedding_$$slot = row.vector, e.embedding_model_$$slot = $model
RETURN count(e) AS written
