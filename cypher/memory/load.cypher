// Memories by their ids, with their speakers and entities, as far as the viewer may see them.
// params: $ids
// returns: memory, pending, entities
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS wanted
MATCH (m:Memory {id: wanted})
// include: visible
// include: as_memory
