// Finds the memory `$id` if the viewer may see it where they see most of it, as known today.
// params: $id

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
