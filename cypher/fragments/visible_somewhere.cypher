// Keeps of the memories `m` those that the export of the viewer holds: what they may see where they see most of it, at a
// time when it held, archived or not.
// expects: m, my_chats and my_groups (fragment my_chats)

// include: reachable
// include: viewpoint_of_memory
// include: at_any_time
WITH *, viewpoint {.*, status: m.status} AS placed
WITH my_chats, my_groups, m, placed AS viewpoint
// include: visible
