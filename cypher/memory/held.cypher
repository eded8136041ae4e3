// A memory as it is known now, at a time when it held, where it belongs: what ended, or is yet to begin, is seen too.
// params: $id
// returns: memory, pending, entities
// mode: read

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
// include: as_memory
