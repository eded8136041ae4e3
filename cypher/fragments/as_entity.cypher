// Converts the entity `e` to what the viewer sees of it (M3): the names by which memories name it that the viewer may
// see. A viewer who `met` it also sees the canonical name and the names given explicitly (`given_names`, by its
// creator or by itself). For others the canonical name is the longest name that they see, else the words of its key.
// The names in a memory are the words of its text (`texts` of MENTIONS) and the name of its subject (`name` of ABOUT).
// Entities merged into this one are read too: they keep the names from memories that name both.
// expects: e, met, my_chats and my_groups (fragments known_of and my_chats)
// params: $viewer
CALL (e, my_chats, my_groups) {
  CALL (e) {
    MATCH (was)-[:MERGED_INTO]->*(e)
    MATCH (was)<-[naming:MENTIONS|ABOUT]-(m:Memory)
    UNWIND coalesce(naming.texts, []) + [naming.name] AS text
    RETURN text, collect(m) AS memories
  }
  WITH * WHERE text <> '' AND NOT text STARTS WITH '@'
  CALL (memories, my_chats, my_groups) {
    UNWIND memories AS m
    // include: reachable
    // include: viewpoint_of_memory
    // include: at_any_time
    // include: visible
    RETURN true AS is_seen LIMIT 1
  }
  RETURN collect(text) AS told
}
CALL (e) {
  MATCH (was:Merged)-[:MERGED_INTO]->+(e)
  WHERE was.created_by = $viewer OR was.user_id IS NOT NULL OR size(was.usernames) > 0
  RETURN collect(was.canonical_name) AS given
}
CALL (e, met, told, given) {
  UNWIND told + given + CASE WHEN met THEN [e.canonical_name] + coalesce(e.given_names, []) ELSE [] END AS name
  WITH toString(name) AS text
  WITH toLower(text) AS folded, min(text) AS text ORDER BY size(text) DESC, text
  WITH collect({folded: folded, text: text}) AS seen
  WITH CASE WHEN any(one IN seen WHERE one.folded = toLower(e.canonical_name)) THEN e.canonical_name
            ELSE coalesce(seen[0].text, replace(split(split(e.key, ':')[1], '-')[0], '_', ' ')) END AS name, seen
  RETURN e {.id, .key, .type, .usernames, canonical_name: name,
            aliases: [one IN seen WHERE one.folded <> toLower(name) | one.text]} AS entity
}
