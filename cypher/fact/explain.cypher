// The parts of the explanation of a memory, each as far as the viewer may see it: the memory with those that it
// superseded or that superseded it (`chain`, which ends at a memory that the viewer may not see), the turns it follows
// from (`source`), and what contradicts it (`contradiction`). Retired memories are shown as they were, with the time
// and the reason. Each comes with its earlier wordings and the ids of the entities that it is about or mentions.
// params: $id
// returns: part, step
// mode: read

// include: my_chats
MATCH (asked:Memory {id: $id})
CALL (asked) {
  MATCH (asked)-[:SUPERSEDES]-{0,100}(m:Memory)
  RETURN m, 'chain' AS part
UNION
  MATCH (asked)-[:CONTRADICTS]-(m:Memory)
  RETURN m, 'contradiction' AS part
UNION
  MATCH (asked)-[:DERIVED_FROM]->(m:Memory)
  RETURN m, 'source' AS part
}
// include: viewpoint_of_memory
// include: as_it_was
// include: visible
WITH asked, collect({part: part, memory: m}) AS found
WITH asked, found, [each IN found WHERE each.part = 'chain' | each.memory.id] AS seen
CALL (asked, seen) {
  MATCH (asked) ((step)-[:SUPERSEDES]-(next) WHERE next.id IN seen){0,100} (linked:Memory)
  RETURN collect(DISTINCT linked) AS chain
}
UNWIND found AS each
WITH each.part AS part, each.memory AS m, chain
WITH part, m WHERE part <> 'chain' OR m IN chain
WITH part, m ORDER BY m.valid_from, m.created_at, m.id
RETURN part, m {
  .id, .content, .speaker_name, .source, .sensitivity, .event_time, .created_at, .valid_from, .valid_until, .ended_at,
  .retired_at, .retired_by, .changed_by,
  entities: COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.id },
  wordings: COLLECT {
    MATCH (m)-[:HAS_VERSION]->(then:Version)
    RETURN then {.content, .changed_at, .changed_by} ORDER BY then.changed_at
  }
} AS step
