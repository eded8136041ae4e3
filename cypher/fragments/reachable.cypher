// Keeps of the memories `m` those that the viewer can come to at all: their own, their chats', and those about somebody
// (P1). It spares the rule, which follows, a look at what most others said, where an entity is popular.
// expects: m, my_chats (fragment my_chats)
// params: $viewer
WITH * WHERE m.scope = $viewer OR m.scope IN my_chats OR EXISTS { (m)-[:ABOUT]->() }
