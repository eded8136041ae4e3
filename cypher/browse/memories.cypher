// Memories by their ids. Each is judged from where the viewer sees most of it (fragment `viewpoint_of_memory`), with
// all personas.
// params: $ids
// returns: memory, pending, entities
// mode: read

// include: my_chats
UNWIND $ids AS wanted
MATCH (m:Memory {id: wanted})
// include: viewpoint_of_memory
// include: visible
// include: as_memory
