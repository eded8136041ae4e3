// Deletes a space that the viewer may use, unless it is `used`: a chat, a memory, a todo or a block belongs to it.
// params: $id
// returns: used
// mode: write

// include: my_chats
MATCH (s:Space {id: $id})
// include: my_space
SET s.lock = $now
WITH s, EXISTS { (:Chat {space_id: s.id}) } OR EXISTS {
    MATCH (m:Memory) USING INDEX SEEK m:Memory(space_id, event_time, id)
    WHERE m.space_id = s.id AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  }
  OR EXISTS { MATCH (t:Todo) WHERE t.person_id IN [s.owner_id, $viewer] AND t.space_id = s.id }
  OR EXISTS { MATCH (b:Block) WHERE b.person_id IN [s.owner_id, $viewer] AND b.space_id = s.id AND b.key IS NOT NULL } AS used
FOREACH (empty IN CASE WHEN used THEN [] ELSE [s] END | DETACH DELETE empty)
RETURN used
