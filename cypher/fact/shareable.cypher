// The memory that the viewer is to share with the group `$chat`, locked. `fact` has its words, and nothing that these
// do not say: not when it was told. `about` are those of its people whom the group knows anyway. `aspect` is null if
// it is also about others, or if its key is made of its text. `shared` is the copy that already exists.
// params: $id, $chat, $no_end
// returns: allowed, turn, confided, ended, group, elsewhere, members, shared, fact, about
// mode: write

// include: seen_memory
WITH my_chats, m, m.owner_id = $viewer AS allowed
// include: lock_live
OPTIONAL MATCH (c:Chat {id: $chat, kind: 'group'}) WHERE c.id IN my_chats
WITH m, allowed, c, m.valid_from IN [m.learned_at] + COLLECT {
       MATCH (m)-[:DERIVED_FROM]->(turn:Episodic) RETURN turn.event_time
     } AS when_told,
     COLLECT {
       MATCH (m)-[about:ABOUT]->(e:Person)
       WHERE e.user_id IS NOT NULL OR size(e.usernames) > 0 OR EXISTS { (e)-[:PARTICIPATES_IN]->(c) }
       RETURN e.id ORDER BY about.primary DESC, e.id
     } AS about
RETURN allowed, m:Episodic OR m:Summary AS turn, m.confided IS NOT NULL AS confided, m.valid_until <= $now AS ended,
       c IS NOT NULL AS group, NOT m.space_id IN ['', coalesce(c.space_id, '')] AS elsewhere,
       COUNT {
         MATCH (other:Person)-[part:PARTICIPATES_IN]->(c) WHERE other.id <> $viewer AND part.since <= $now AND part.until > $now
       } AS members,
       COLLECT {
         MATCH (copy:Memory {chat_id: c.id})-[:DERIVED_FROM {shared: true}]->(m)
         WHERE copy.retired_at = $no_end AND copy.expires_at > $now
         RETURN copy.id
       }[0] AS shared,
       m {.content, .kind, .type, .fact_type, .frame, .event_precision, .value_key,
          aspect: CASE WHEN COUNT { (m)-[:ABOUT]->() } = size(about) AND NOT m.claim_key CONTAINS '|=' THEN split(m.claim_key, '|')[3] END,
          event_time: CASE WHEN NOT when_told OR m.event_time <> m.valid_from THEN m.event_time END,
          valid_from: CASE WHEN NOT when_told AND m.takes_effect_at IS NULL AND m.valid_from <= $now THEN m.valid_from END,
          valid_until: CASE WHEN m.valid_until < $no_end THEN m.valid_until END,
          expires_at: CASE WHEN m.expires_at < $no_end THEN m.expires_at END} AS fact,
       about
