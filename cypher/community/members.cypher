// A page of the entities of the latest communities in the scope where the viewer stands, by community, the most
// central first; of `$community`, or of all if it is null. The communities are shown to viewers who may see all
// memories that they were made of; entities that the viewer may not know of now are left out.
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
