// Cuts a ranked list: the best `$depth` turns, the best `$depth` own facts, and the best `$elsewhere` facts from
// elsewhere.
// expects: m, score, cosine
// params: $viewer, $group, $depth, $elsewhere

// include: part_of_lists
WITH part, m, score, cosine ORDER BY score DESC, m.id
WITH part, collect({memory: m, score: score, cosine: cosine}) AS sorted
UNWIND sorted[..CASE part WHEN 'elsewhere' THEN $elsewhere ELSE $depth END] AS kept
WITH kept.memory AS m, kept.score AS score, kept.cosine AS cosine
