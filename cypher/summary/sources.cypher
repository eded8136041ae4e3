// What a summary of an entity in one scope can be made of: how many memories of that scope name it or are about it, of
// those that all may see who may see that scope, and the weightiest `$most` facts among them, but for what it reports of
// others. The viewer is the owner of the scope; of a group's nobody, who sees there what everybody sees. In a space that is
// what is of it and of none (P7).
// params: $id, $worker, $frames, $most
// returns: chat, persona, scope, space, key, mentions, sources
// mode: read
MATCH (p:EntityProfile {id: $id}) WHERE p.worker = $worker
MATCH (e:Entity {id: p.entity_id})
// include: viewpoint_of_scope(group=p.chat_id, persona=p.persona_id, space=p.space_id)
CALL (p, e, viewpoint) {
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  WHERE m.scope = p.scope AND m.persona_id = p.persona_id AND NOT m:Summary
  WITH DISTINCT m, e, viewpoint
  // include: visible
  // include: effective_importance
  // include: frame_rank
  WITH m, e, weight, frame_rank, EXISTS { (m)-[:ABOUT]->(e) } AS about
  // include: reported
  WITH * ORDER BY about DESC, weight DESC, frame_rank, m.event_time DESC, m.id
  RETURN count(m) AS mentions,
         collect(CASE WHEN NOT m:Episodic AND NOT reported THEN m {.id, .content, .sensitivity, since: m.valid_from,
           speaker_name: CASE WHEN m.speaker_id <> m.scope THEN m.speaker_name END} END)[..$most] AS sources
}
RETURN p.chat_id AS chat, p.persona_id AS persona, p.scope AS scope, p.space_id AS space, e.key AS key, mentions, sources
