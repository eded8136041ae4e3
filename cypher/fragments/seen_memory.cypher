// Finds the memory `$id` as far as the viewer may see it where they see most of it, as is known today.
// params: $id

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
