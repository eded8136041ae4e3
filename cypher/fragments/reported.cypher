// Computes `reported`: whether the memory `m` is only a report of the entity `e` about others, as worded by
// `nlp.extraction.quoting`, and so belongs to those.
// expects: m, e, about
WITH *, NOT about AND coalesce(m.speaker_id = e.id, false)
  AND (m.content CONTAINS ': "' OR m.content CONTAINS ' says that ') AS reported
