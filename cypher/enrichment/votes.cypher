// The votes for the types of entities that these memories mention: the certainties of all mentions that are not
// retired, summed separately for each scope. Only entities that are known from talk alone are returned, if a mention
// has another type than they have. `about` says whether facts are about the entity.
// params: $memories, $most, $now
// returns: id, key, type, scopes, about, votes
// mode: read
UNWIND $memories AS id
MATCH (:Memory {id: id})-[:MENTIONS]->(e:Entity)
WITH DISTINCT e
// include: known_from_talk
WITH e, scopes, links, any(each IN links WHERE type(each.link) = 'ABOUT') AS about
WHERE any(each IN links WHERE any(type IN each.link.types WHERE type <> e.type))
UNWIND links AS each
WITH e, scopes, about, each WHERE type(each.link) = 'MENTIONS' AND each.memory.retired_at > $now
UNWIND range(0, size(each.link.types) - 1) AS place
WITH e, scopes, about, each.memory.scope AS scope, each.link.types[place] AS type, sum(each.link.certainties[place]) AS sum
WITH e, scopes, about, scope, collect({type: type, votes: sum}) AS votes
RETURN e.id AS id, e.key AS key, e.type AS type, scopes, about, collect(votes) AS votes ORDER BY id
