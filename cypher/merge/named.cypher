// The `$limit` entities after a place in the order of their ids, with their names. `position` is the place to go on from,
// null at the end.
// params: $position, $limit
// returns: entities, position
// mode: read
CALL () {
  MATCH (e:Entity) WHERE e.id > $position
  RETURN e ORDER BY e.id LIMIT $limit
}
WITH collect(e) AS page
RETURN [e IN page | {id: e.id, type: e.type, names: [e.canonical_name] + e.aliases}] AS entities,
       CASE WHEN size(page) = $limit THEN page[-1].id END AS position
