// Deletes what is left of a person: uses recorded since, states, todos, blocks, summaries, private chats, spaces,
// pending work on them, their names and those of entities merged into them. Their ids are removed where they created,
// changed, pinned, merged or added what stays. The record of the erasure keeps counts and ids, and also what they were
// called (`$full`, `$words`) while texts are left to be decided.
// params: $erasure_id, $worker, $ids, $full, $words, $listed, $now
// returns: -
// mode: write

// include: held_erasure
CALL () {
  MATCH (p:Person) WHERE p.id IN $ids
  WITH p ORDER BY p.id
  SET p.lock = $now
  RETURN count(p) AS locked
}
CALL (locked) {
  // Uses that were recorded while the rest was deleted.
  MATCH (u:Use) USING INDEX SEEK u:Use(person_id, at, id)
  WHERE u.person_id IN $ids AND u.at IS NOT NULL AND u.id IS NOT NULL
  DETACH DELETE u
}
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})-[part:PARTICIPATES_IN|INVITED_TO]->()
  RETURN count(part) AS memberships
}
CALL () {
  MATCH (s:UserState) WHERE s.person_id IN $ids
  WITH s, 'UserState ' + s.id AS state
  DETACH DELETE s
  RETURN collect(state) AS states
}
CALL () {
  MATCH (t:Todo) WHERE t.person_id IN $ids
  WITH t, 'Todo ' + t.id AS todo
  DETACH DELETE t
  RETURN collect(todo) AS todos
}
CALL () {
  MATCH (b:Block) WHERE b.person_id IN $ids
  OPTIONAL MATCH (b)-[:HAS_VERSION]->(v:Version)
  WITH b, v, 'Block ' + b.id AS block
  DETACH DELETE v, b
  RETURN collect(DISTINCT block) AS blocks
}
CALL () {
  // Summaries without memories as sources: of the latest talk, and of what is known of the person.
  MATCH (s:Summary) WHERE s.scope IN $ids OR EXISTS { MATCH (s)-[:OF]->(p) WHERE p.id IN $ids }
  DETACH DELETE s
  RETURN count(*) AS summaries
}
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})-[:PARTICIPATES_IN]->(c:Chat {kind: 'private'})
  WITH DISTINCT c
  OPTIONAL MATCH (s:Session)-[:IN_CHAT]->(c)
  WITH c, s, 'Chat ' + c.id AS chat
  DETACH DELETE s, c
  RETURN collect(DISTINCT chat) AS chats, count(DISTINCT s) AS sessions
}
CALL (chats) {
  MATCH (c:Credential) WHERE any(chat IN c.records WHERE 'Chat ' + chat IN chats)
  SET c.records = [chat IN c.records WHERE NOT 'Chat ' + chat IN chats]
}
CALL () {
  UNWIND $ids AS id
  MATCH (place:Lock) WHERE place.name IN ['place live ' + id, 'place bulk ' + id, 'place facts ' + id, 'spaces ' + id]
  DELETE place
}
CALL () {
  MATCH (waiting:EntityProfile|SummaryRequest) WHERE waiting.entity_id IN $ids OR waiting.scope IN $ids
  DETACH DELETE waiting
}
CALL () {
  UNWIND $ids AS id
  MATCH (forgetting:Forgetting) WHERE forgetting.person_id = id
  DETACH DELETE forgetting
}
CALL () {
  MATCH (p:Purged) WHERE p.person_id IN $ids
  DELETE p
}
CALL () {
  MATCH (s:Space) WHERE s.scope IN $ids
  DETACH DELETE s
}
CALL () {
  MATCH (e:Entity|Merged) WHERE e.created_by IN $ids
  SET e.created_by = null
}
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})-[:PARTICIPATES_IN]->(c:Chat)
  WITH DISTINCT c
  MATCH (c)<-[other:PARTICIPATES_IN|INVITED_TO]-()
  // Not null, which would mean that somebody trusted added them.
  FOREACH (part IN CASE WHEN other.added_by IN $ids THEN [other] ELSE [] END | SET part.added_by = '')
  FOREACH (asked IN CASE WHEN other.invited_by IN $ids THEN [other] ELSE [] END | SET asked.invited_by = '')
}
CALL () {
  MATCH (m:Memory|Version) WHERE m.changed_by IN $ids
  SET m.changed_by = null
}
CALL () {
  MATCH (m:Memory) WHERE any(id IN m.pinned_by WHERE id IN $ids)
  SET m.pinned_by = [id IN m.pinned_by WHERE NOT id IN $ids]
}
CALL () {
  MATCH ()-[merge:MERGED_INTO]->() WHERE merge.merged_by IN $ids
  SET merge.merged_by = null
}
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})-[related:RELATED_TO]-()
  RETURN count(DISTINCT related) AS relations
}
CALL () {
  UNWIND $ids AS id
  MATCH (one:Entity|Merged {id: id})
  WITH one, 1 + size(one.aliases) + size(one.usernames) AS names
  DETACH DELETE one
  RETURN sum(names) AS names
}
SET erasure.states = size(states), erasure.todos = erasure.todos + size(todos), erasure.blocks = size(blocks),
    erasure.removed = (erasure.removed + states + todos + blocks + chats)[..$listed],
    erasure.summaries = erasure.summaries + summaries, erasure.chats = size(chats), erasure.sessions = erasure.sessions + sessions,
    erasure.memberships = memberships, erasure.relations = erasure.relations + relations, erasure.names = names,
    erasure.finished_at = $now
REMOVE erasure.person_id, erasure.ids, erasure.credential_ids, erasure:Pending, erasure.job, erasure.due_at, erasure.worker, erasure.attempts,
       erasure.failure, erasure.lock
FOREACH (left IN CASE WHEN EXISTS { (erasure)-[:CONCERNS]->() } THEN [erasure] ELSE [] END |
  SET left:UndecidedErasure, left.full = $full, left.words = $words
)
