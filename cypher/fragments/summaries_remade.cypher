// Deletes the summaries, of all versions, that were made of the memories `gone` and are not in `gone`, and queues new
// ones, except summaries of talk in the scopes `$ids`. `remade` is the number of deleted ones.
// expects: gone
// params: $ids, $now
CALL (gone) {
  UNWIND gone AS source
  MATCH (source)<-[:DERIVED_FROM]-(stale:EntitySummary)-[:SUMMARIZES]->(e:Entity) WHERE NOT stale IN gone
  WITH DISTINCT stale, e, stale.scope AS scope, stale.persona_id AS persona, stale.chat_id AS chat,
       stale.space_id AS space
  ORDER BY e.id, scope, persona, space
  // include: profile_queued(scope=scope, persona=persona, chat=chat, space=space)
}
CALL (gone) {
  UNWIND gone AS source
  MATCH (source)<-[:DERIVED_FROM]-(stale:Summary) WHERE stale.line IS NOT NULL AND NOT stale.scope IN $ids
  WITH DISTINCT
  // include: request_of(summary=stale)
  // include: summary_queued
}
CALL (gone) {
  UNWIND gone AS source
  MATCH (source)<-[:DERIVED_FROM]-(stale:Summary) WHERE NOT stale IN gone
  WITH DISTINCT stale
  DETACH DELETE stale
  RETURN count(*) AS remade
}
