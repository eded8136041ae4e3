// The space `s` as `graph.people.spaces` reads it: an expression.
// expects: s
s {.id, .name, .owner_id, .chat_id, .created_at}
