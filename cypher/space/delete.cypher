// Deletes a space that the viewer may use, unless it is `used`: a chat or a memory belongs to it, or a todo or block of
// anybody who could use it. Values of a state do not keep it: nobody can take them out.
// params: $id
// returns: used
// mode: write

// include: my_chats
MATCH (s:Space {id: $id})
// include: my_space
SET s.lock = $now
WITH s, [s.owner_id] + COLLECT {
  MATCH (p:Person)-[part:PARTICIPATES_IN]->(:Chat {id: s.chat_id}) WHERE part.since <= $now AND part.until > $now
  RETURN DISTINCT p.id
} AS people
WITH s, EXISTS { (:Chat {space_id: s.id}) } OR EXISTS {
    MATCH (m:Memory) USING INDEX SEEK m:Memory(space_id, event_time, id)
    WHERE m.space_id = s.id AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  }
  OR EXISTS { MATCH (t:Todo) WHERE t.person_id IN people AND t.space_id = s.id }
  OR EXISTS { MATCH (b:Block) WHERE b.person_id IN people AND b.space_id = s.id AND b.key IS NOT NULL } AS used
FOREACH (empty IN CASE WHEN used THEN [] ELSE [s] END | DETACH DELETE empty)
RETURN used
