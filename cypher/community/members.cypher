// The entities of the communities that were found in the scope in which the viewer stands, community by community, the
// most central first, from a place in the list on; of one community (`$community`) or of all. They are there for whoever
// may see all the memories that they are made of; an entity of which the viewer knows nothing by now is left out.
// params: $community, $after, $after_centrality, $after_id, $limit
// returns: entity, key, community, centrality, analysis
// mode: read

// include: my_chats
// include: viewpoint_of_request
CALL (viewpoint) {
  MATCH (m:GraphAnalysis)
  WHERE m.scope = coalesce(viewpoint.group, $viewer) AND m.persona_id = viewpoint.persona
    AND m.space_id = coalesce(viewpoint.space, '')
    AND m.created_at <= $known_at AND m.retired_at > $known_at
  // include: visible
  RETURN m AS latest ORDER BY m.created_at DESC, m.id DESC LIMIT 1
}
MATCH (e:Entity)-[place:ANALYSED_IN]->(latest)
WHERE ($community IS NULL OR place.community = $community)
  AND (place.community > $after
       OR place.community = $after AND (place.centrality < $after_centrality
                                        OR place.centrality = $after_centrality AND e.id > $after_id))
WITH * ORDER BY place.community, place.centrality DESC, e.id
// include: known_of
RETURN e.id AS entity, e.key AS key, place.community AS community, place.centrality AS centrality,
       latest {.id, .version, .algorithm, .modularity, .created_at} AS analysis
ORDER BY community, centrality DESC, entity LIMIT $limit
