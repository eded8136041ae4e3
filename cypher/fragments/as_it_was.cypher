// Judges the memory `m` as of when it was recorded, at a time when it held: for who asks how something came to be
// believed, what was retired since is shown too (M13). Who may see it is judged by today's labels as ever (M14).
// expects: m, viewpoint (fragment viewpoint_of_memory)
WITH *, viewpoint {.*, as_of: m.valid_from, known_at: m.created_at} AS viewpoint
