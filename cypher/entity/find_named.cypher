// The entities that have one of the names whose tokens `$query` asks for. `merged` are the entities merged into one,
// the farthest first, with the names that it has from them; `former` the keys that it had before it was retyped.
// params: $query
// returns: id, type, names, merged, former
// mode: read
CALL db.index.fulltext.queryNodes('entity_fulltext', $query) YIELD node
RETURN node.id AS id, node.type AS type, node.names AS names,
       COLLECT {
         MATCH (gone:Merged)-[records:MERGED_INTO]->+(node)
         WITH gone, records ORDER BY size(records) DESC, gone.id
         RETURN {id: gone.id,
                 names: reduce(left = gone.names, record IN records | [name IN left WHERE name IN record.added_names])}
       } AS merged,
       COLLECT {
         MATCH (before:Merged)-[records:MERGED_INTO]->+(node) WHERE records[0].id IS NULL
         RETURN before.key
       } AS former
ORDER BY size(node.key), node.key
