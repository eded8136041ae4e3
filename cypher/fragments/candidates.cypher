// Collects the memories `m`, each with a `score` of its list and its exact `cosine`, into a ranked list, best first,
// as `graph.retrieval.retrievers.retriever.Ranked` holds it. The number of words is that of the spaces, plus one. Only
// a text that was read out has a title. It does not count as a turn, because what was read out before it is no
// context. A `fact` may have turns as evidence, and may come from `elsewhere`; a `summary` repeats other memories;
// `own_score` is the viewer's score of their own memory.
// expects: m, score, cosine
// params: $viewer, $group

// include: part_of_lists
// include: own_score
WITH m, score, cosine, part, own_score ORDER BY score DESC, coalesce(cosine, -2.0) DESC, m.id
RETURN collect({
  id: m.id, score: score, cosine: cosine,
  session: m.session_id, turn: m.turn IS NOT NULL AND m.title IS NULL,
  words: 1 + size(m.content) - size(replace(m.content, ' ', '')), asks: right(rtrim(m.content), 1) = '?',
  speaker_id: m.speaker_id, by_assistant: m.source_role = 'assistant', title: m.title,
  fact: part <> 'turns', elsewhere: part = 'elsewhere', summary: m:Summary, own_score: own_score
}) AS found
