// Of the memories that searches of the vector indexes gave, as lists of {memory, nearness, person}, the nearest that the
// viewer may see, once each, ordered by the exact cosine: the index answers from quantised vectors. `near` are the lists of
// what was said here and of the viewer's own, `far` those of what is told of people anywhere. Turns, one's own facts with
// those learned here, and facts from elsewhere are cut apart, so that none of them takes another's place. What was found as
// being about a person counts when they are concerned. There is `more` when some search of `near` gave as many as it may.
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
