// Joins the results of searches of the vector indexes, lists of {memory, nearness, person}: the nearest memories that
// the viewer may see, each once, ordered by the exact cosine similarity, since the index answers from quantised
// vectors. `near` has the lists of what was said here and of the viewer's own memories, `far` those of what is told of
// people anywhere. Turns, own facts with those learned here, and facts from elsewhere are cut separately, so that none
// displaces another. A hit with a person counts only if that person is in `$concerned`. `more` is true if a search of
// `near` reached its limit, or if there are more turns than `$limit`.
// expects: near, far, viewpoint
// params: $viewer, $group, $vector, $limit, $depth, $elsewhere, $concerned

CALL (near, far) {
  UNWIND near + far AS list
  UNWIND list AS each
  WITH each WHERE each.person IS NULL OR each.person IN $concerned
  WITH each.memory AS m, max(each.nearness) AS nearness
  // include: part_of_lists
  WITH part, m ORDER BY nearness DESC
  WITH part, collect(m) AS sorted
  RETURN collect(sorted[..CASE part WHEN 'turns' THEN $limit ELSE $limit / 3 END]) AS parts,
         sum(CASE part WHEN 'turns' THEN size(sorted) ELSE 0 END) AS turns
}
CALL (parts, viewpoint) {
  UNWIND parts AS given
  UNWIND given AS m
  WITH m, viewpoint
  // include: visible
  // include: matching
  // include: query_cosine
  WITH m, cosine, cosine AS score
  // include: cut_lists
  // include: candidates
}
RETURN turns > $limit OR any(list IN near WHERE size(list) >= $limit) AS more, found
