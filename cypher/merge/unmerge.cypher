// Undoes a merge. What was moved, and the mentions since then by the entity's own names, belong to it again. The other
// becomes what it was before; what was added to it meanwhile stays.
// params: $merge_id, $ended, $now
// returns: id
// mode: write
MATCH (gone:Merged)-[record:MERGED_INTO {id: $merge_id}]->(keep:Entity)
WITH gone, keep, properties(record) AS was, record
DELETE record
REMOVE gone:Merged
SET gone:$(was.labels)
WITH gone, keep, was, keep.last_updated = was.created_at AS untouched
CALL (keep, was, untouched) {
  WITH keep, was WHERE untouched
  SET keep += was {.last_updated, .sounds, .job, .due_at, .attempts, .failure, .failed_at}
  REMOVE keep:Pending, keep:Failed, keep.worker
  SET keep:$(was.kept_labels)
}
CALL (keep, untouched) {
  WITH keep WHERE NOT untouched
  SET keep.last_updated = $now
  // include: queued(node=keep, job='enrich', due_at=$now)
}
SET keep.aliases = [alias IN keep.aliases WHERE NOT alias IN was.added],
    keep.usernames = [one IN keep.usernames WHERE NOT one IN was.added_usernames],
    keep.names = [one IN keep.names WHERE NOT one IN was.added_names],
    keep.first_seen = was.first_seen
WITH gone, keep, was
CALL (gone) {
  MATCH (gone)<-[:ABOUT]-(m:Memory)
  RETURN collect(m) AS parked
}
CALL (keep, was) {
  MATCH (keep)<-[mine:ABOUT {primary_by: was.id}]-(:Memory)
  SET mine.primary = false
  REMOVE mine.primary_by
}
CALL (keep, gone, was) {
  MATCH (keep)<-[mention:MENTIONS]-(m)
  WHERE mention.created_at >= was.created_at AND mention.merged_from IS NULL
  WITH gone, m, mention, mention.created_at AS created_at,
       [name IN mention.names WHERE name IN was.added_names] AS theirs,
       [name IN mention.names WHERE NOT name IN was.added_names] AS ours,
       [place IN range(0, size(mention.names) - 1) WHERE mention.names[place] IN was.added_names
        | mention.texts[place]] AS their_texts,
       [place IN range(0, size(mention.names) - 1) WHERE NOT mention.names[place] IN was.added_names
        | mention.texts[place]] AS our_texts,
       [place IN range(0, size(mention.names) - 1) WHERE mention.names[place] IN was.added_names
        | mention.types[place]] AS their_types,
       [place IN range(0, size(mention.names) - 1) WHERE NOT mention.names[place] IN was.added_names
        | mention.types[place]] AS our_types,
       [place IN range(0, size(mention.names) - 1) WHERE mention.names[place] IN was.added_names
        | mention.certainties[place]] AS their_certainties,
       [place IN range(0, size(mention.names) - 1) WHERE NOT mention.names[place] IN was.added_names
        | mention.certainties[place]] AS our_certainties
  WHERE size(theirs) > 0
  CREATE (gone)<-[:MENTIONS {names: theirs, texts: their_texts, types: their_types, certainties: their_certainties,
                             created_at: created_at}]-(m)
  SET mention.names = ours, mention.texts = our_texts, mention.types = our_types, mention.certainties = our_certainties
  FOREACH (bare IN CASE WHEN size(ours) = 0 THEN [mention] ELSE [] END | DELETE bare)
}
CALL (keep, gone) {
  MATCH (keep)<-[link]-(other) WHERE link.merged_from[-1] = gone.id
  WITH gone, link, other, type(link) AS kind, link {.*, embedding_a: null, embedding_b: null} AS had
  DELETE link
  CREATE (gone)<-[back:$(kind)]-(other)
  SET back = had, back.merged_from = CASE WHEN size(had.merged_from) > 1 THEN had.merged_from[..-1] END
  FOREACH (bare IN CASE WHEN back:ABOUT AND NOT gone:Person THEN [back] ELSE [] END |
    SET bare = bare {.primary, .name, .created_at, .merged_from, .primary_by}
  )
  WITH gone, back, other WHERE back.person_id IS NOT NULL
  SET back.person_id = gone.id
  SET back.embedding_a = other.embedding_a, back.embedding_b = other.embedding_b
}
CALL (keep, gone) {
  MATCH (keep)-[asked:INVITED_TO]->() WHERE asked.merged_from[-1] = gone.id
  DELETE asked
}
CALL (keep, gone) {
  MATCH (keep)-[link]->(other) WHERE link.merged_from[-1] = gone.id
  WITH gone, link, other, type(link) AS kind, link {.*, embedding_a: null, embedding_b: null} AS had
  DELETE link
  CREATE (gone)-[back:$(kind)]->(other)
  SET back = had, back.merged_from = CASE WHEN size(had.merged_from) > 1 THEN had.merged_from[..-1] END
}
// Memories that the merge made not portable are portable again, unless somebody has set that label since.
CALL (was) {
  UNWIND was.confided AS id
  MATCH (m:Memory {id: id}) WHERE NOT 'portable' IN coalesce(m.explicit_labels, [])
  SET m.portable = true, m.inferred_labels = [label IN m.inferred_labels WHERE label <> 'portable'],
      m.own_portable = CASE WHEN m.own_portable IS NOT NULL THEN true END
  // include: label_terms
  WITH m
  // include: copy_to_about
}
CALL (gone, was, parked) {
  UNWIND parked AS m
  RETURN m
UNION
  MATCH (gone)<-[link:ABOUT|STATED_BY]-(m:Memory) WHERE link:STATED_BY OR gone:Person AND link.person_id IS NULL
  RETURN m
UNION
  UNWIND was.ended + $ended AS id
  MATCH (m:Memory {id: id})
  RETURN m
}
CALL (m) {
  WITH m
  // include: copy_to_about
}
RETURN DISTINCT $merge_id AS id
