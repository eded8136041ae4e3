// Makes of the space `s` what `graph.people.spaces` reads: an expression.
// expects: s
s {.id, .name, .owner_id, .chat_id, .created_at}
