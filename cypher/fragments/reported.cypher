// Whether the memory `m` is what the entity `e` only reports of others, as `nlp.extraction.quoting` words it, and so theirs,
// as `reported`.
// expects: m, e, about
WITH *, NOT about AND coalesce(m.speaker_id = e.id, false)
  AND (m.content CONTAINS ': "' OR m.content CONTAINS ' says that ') AS reported
