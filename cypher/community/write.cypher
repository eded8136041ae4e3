// Writes the next version of the communities of a scope, a persona and a space, and retires the one before. If a
// memory that they are made of was deleted meanwhile, nothing is written and there is no row.
// params: $analysis, $members, $sources, $now, $no_end
// returns: version
// mode: write
CALL () {
  UNWIND $sources AS id
  MATCH (source:Memory {id: id})
  RETURN collect(source) AS sources
}
WITH sources WHERE size(sources) = size($sources)
CALL () {
  OPTIONAL MATCH (old:GraphAnalysis) WHERE old.scope = $analysis.scope AND old.persona_id = $analysis.persona_id
    AND old.space_id = $analysis.space_id
  FOREACH (gone IN CASE WHEN old.retired_at = $no_end THEN [old] ELSE [] END |
    SET gone.retired_at = $now, gone.retired_by = 'folded'
  )
  RETURN coalesce(max(old.version), 0) AS version
}
CREATE (a:Summary:GraphAnalysis)
SET a = $analysis, a.version = version + 1
WITH a, sources
CALL (a) {
  UNWIND $members AS member
  MATCH (e:Entity {id: member.entity})
  CREATE (e)-[:ANALYSED_IN {created_at: $now, community: member.community, centrality: member.centrality}]->(a)
}
CALL (a, sources) {
  UNWIND sources AS source
  CREATE (a)-[:DERIVED_FROM {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: $now, valid_until: $no_end,
                             quoted: false}]->(source)
}
RETURN a.version AS version
