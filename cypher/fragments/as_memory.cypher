// Returns the memory `m` as `graph.retrieval.memories.memory` reads it.
// expects: m, viewpoint (one of the fragments viewpoint_*)

// include: memory_values
RETURN memory, pending, entities
