// Filters the memories `m` to those in the viewer's export: visible where the viewer sees most of them, at a time when
// they held, archived or not.
// expects: m, my_chats and my_groups (fragment my_chats)

// include: reachable
// include: viewpoint_of_memory
// include: at_any_time
WITH *, viewpoint {.*, status: m.status} AS placed
WITH my_chats, my_groups, m, placed AS viewpoint
// include: visible
