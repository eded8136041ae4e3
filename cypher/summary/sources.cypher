// The sources for a summary of an entity in one scope. `mentions` counts the memories of that scope that name it or are
// about it. `sources` are at most `$most` facts among them, those about it first, then by weight, without those that
// only report what it said of others. A fact found in talk says itself who said it, if that matters. Limited to what
// everybody with access to that scope may see: the viewer is its owner, or for a group nobody, who sees there only what
// everybody sees. In a space, memories of that space and of none are included (P7).
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
           speaker_name: CASE WHEN m.speaker_id <> m.scope AND m.source <> 'consolidation' THEN m.speaker_name END} END)[..$most] AS sources
}
RETURN p.chat_id AS chat, p.persona_id AS persona, p.scope AS scope, p.space_id AS space, e.key AS key, mentions, sources
