// Makes of the entity `e` what the viewer sees of it (M3). Names are learned: they see those by which a memory that they
// may see names it. Who `met` it sees the canonical name too, and what it was named explicitly (`given_names`, by who made
// it or by themselves); for others the longest name that they see stands for it, or the words of its key. A memory tells
// its names in the words of its text (`texts` of MENTIONS), and that of whom it was told about (`name` of ABOUT); what was
// merged into the entity keeps those of memories that name both.
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
