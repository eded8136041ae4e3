// What a search needs to know of where the viewer stands: the kind of place, the persona, the space, who else takes
// part in the chat, all chats in which the viewer ever took part, and whom the query may name.
// `entities` have one of the names, aliases or @usernames in `$names` (a full-text query over their tokens), and the
// viewer may know of them. Some have that name for other viewers only. `called` are people of the viewer's chats with
// one of the first names `$called`. `told_of` has the number of memories about each of these people, the fewest first.
// Returns no row if there is no such chat for the viewer. `persona_exists` is false for an unknown persona.
// params: $names, $called, $legacy_disclosable
// returns: kind, persona, space, participants, names, chats, groups, entities, called, told_of, persona_exists, legacy, time_zone
// mode: read

// include: viewpoint_of_request
// include: my_chats
WITH viewpoint, my_chats, my_groups WHERE viewpoint.alone OR viewpoint.group IS NOT NULL
CALL (viewpoint) {
  OPTIONAL MATCH (p:Person)-[part:PARTICIPATES_IN]->(:Chat {id: coalesce(viewpoint.group, viewpoint.private)})
  WHERE part.since <= $now AND part.until > $now
  RETURN collect(DISTINCT p.id) AS participants, collect(DISTINCT p.canonical_name) AS names
}
CALL () {
  OPTIONAL MATCH (:Person {id: $viewer})-[:PARTICIPATES_IN]->(once:Chat)
  RETURN collect(DISTINCT once.id) AS chats
}
CALL (my_chats, my_groups) {
  WITH *, $names AS query WHERE query <> ''
  CALL db.index.fulltext.queryNodes('entity_fulltext', query) YIELD node AS e
  // include: known_of
  // include: as_entity
  RETURN collect(entity) AS entities
}
CALL (my_chats) {
  UNWIND $called AS word
  MATCH (p:Person {called: word}) USING INDEX SEEK p:Person(called)
  WHERE EXISTS { (p)-[:PARTICIPATES_IN]->(shared:Chat) WHERE shared.id IN my_chats }
  RETURN collect(DISTINCT p {.id, .key, .type, .usernames, .canonical_name, aliases: [split(p.canonical_name, ' ')[0]]}) AS called
}
CALL (participants, entities, called) {
  UNWIND [$viewer] + participants + [each IN entities + called | each.id] AS id
  WITH DISTINCT id
  MATCH (p:Person {id: id})
  WITH id, COUNT { (p)<-[:ABOUT]-() } AS memories ORDER BY memories, id
  RETURN collect([id, memories]) AS told_of
}
RETURN CASE WHEN viewpoint.group IS NULL THEN 'private' ELSE 'group' END AS kind, viewpoint.persona AS persona,
       CASE WHEN NOT viewpoint.every_space THEN viewpoint.space END AS space,
       participants, names, chats, [each IN viewpoint.groups | each.id] AS groups, entities, called, told_of,
       $persona = '' OR EXISTS { (:Persona {id: $persona}) } AS persona_exists, $legacy_disclosable AS legacy,
  // include: own_zone
  AS time_zone
