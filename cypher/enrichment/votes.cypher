// How sure which types are of what these memories mention, summed over all mentions that are believed: of entities that are
// known from the talk of one scope alone, where mentions differ from the type that the entity has. `about` is whether
// facts are about it.
// params: $memories, $most, $now
// returns: id, key, type, scope, about, votes
// mode: read
UNWIND $memories AS id
MATCH (:Memory {id: id})-[:MENTIONS]->(e:Entity)
WITH DISTINCT e
// include: known_from_talk
WITH e, scope, links, any(each IN links WHERE type(each.link) = 'ABOUT') AS about
WHERE any(each IN links WHERE any(type IN each.link.types WHERE type <> e.type))
UNWIND links AS each
WITH e, scope, about, each WHERE type(each.link) = 'MENTIONS' AND each.memory.retired_at > $now
UNWIND range(0, size(each.link.types) - 1) AS place
WITH e, scope, about, each.link.types[place] AS type, sum(each.link.certainties[place]) AS votes
RETURN e.id AS id, e.key AS key, e.type AS type, scope, about, collect({type: type, votes: votes}) AS votes ORDER BY id
