// The next `$limit` entities after a position, in the order of their ids, with their names. `position` is the one to
// continue from, null at the end.
// params: $position, $limit
// returns: entities, position
// mode: read

// include: page_of_ids(label=Entity)
RETURN [e IN page | {id: e.id, type: e.type, names: [e.canonical_name] + e.aliases}] AS entities,
       // include: next_position
