// Memories by their ids, with who said them and the entities in them, as far as the viewer may see them.
// params: $ids
// returns: memory, pending, entities
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS wanted
MATCH (m:Memory {id: wanted})
// include: visible
// include: as_memory
