// Memories by their ids, each judged where the viewer sees most of it (fragment `viewpoint_of_memory`), for its own persona.
// params: $ids
// returns: memory, pending, entities
// mode: read

// include: my_chats
UNWIND $ids AS wanted
MATCH (m:Memory {id: wanted})
// include: viewpoint_of_memory
// include: visible
// include: as_memory
