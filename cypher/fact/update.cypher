// Words a memory anew, in place: the earlier wording is kept as a version, and the slow path reads it again. Its score
// stays, its last access is now. A wording that another memory has already changes nothing.
// params: $id, $version_id, $content, $value_key, $text_key, $no_end
// returns: allowed, taken
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: home
// include: ever
// include: visible
// include: may_change
// include: still
WITH m, allowed,
     CASE WHEN m.claim_key CONTAINS '|=' THEN split(m.claim_key, '|=')[0] + '|=' + $text_key ELSE m.claim_key END AS key
WITH *, CASE WHEN m.live_key IS NOT NULL THEN m.scope + '|' + m.persona_id + '|' + key + '|' + m.authority END AS live_key
OPTIONAL MATCH (other:Memory {live_key: live_key}) WHERE other.id <> m.id
WITH m, allowed, key, live_key, other IS NOT NULL AS taken
CALL (m, allowed, key, live_key, taken) {
  WITH * WHERE allowed AND NOT taken
  CREATE (m)-[:HAS_VERSION {created_at: $now}]->(:Version {
    id: $version_id, content: m.content, changed_at: $now, changed_by: $viewer
  })
  SET m.content = $content, m.value_key = $value_key, m.claim_key = key, m.memory_key = m.category + '|' + key, m.live_key = live_key,
      m.changed_at = $now, m.last_accessed_at = $now, m:Pending, m.due_at = $now, m.attempts = 0
  REMOVE m:Failed, m.worker
  WITH m
  OPTIONAL MATCH (m)-[named:MENTIONS]->()
  DELETE named
}
RETURN allowed, taken
