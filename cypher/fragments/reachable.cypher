// Filters the memories `m` to those that the viewer can reach at all: their own, their chats', and those about an
// entity (P1). Where an entity is popular, this spares the rule, which follows, most of what others said.
// expects: m, my_chats (fragment my_chats)
// params: $viewer
WITH * WHERE m.scope = $viewer OR m.scope IN my_chats OR EXISTS { (m)-[:ABOUT]->() }
