// Keeps of the memories `m` those that tell something of the entity `e` itself: what it only reports of others, as
// `nlp.extraction.quoting` words it, is theirs.
// expects: m, e, about
WITH * WHERE about OR m.speaker_id <> e.id OR NOT (m.content CONTAINS ': "' OR m.content CONTAINS ' says that ')
