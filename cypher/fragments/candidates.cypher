// Turns the memories `m`, each with a `score` of its list and its exact `cosine`, into what ranking needs to know of them,
// best first. The words are counted as the spaces between them; only turns have a number, only what was read out has a
// title, and only facts have turns in which they were found.
// expects: m, score, cosine
// params: -
WITH m, score, cosine ORDER BY score DESC, m.id
RETURN collect({
  id: m.id, score: score, cosine: cosine,
  session: m.session_id, turn: m.turn, words: 1 + size(m.content) - size(replace(m.content, ' ', '')),
  speaker_id: m.speaker_id, title: m.title,
  evidence: CASE WHEN m:Episodic THEN [] ELSE COLLECT { MATCH (m)-[:DERIVED_FROM]->(turn) RETURN turn.id LIMIT 20 } END
}) AS found
