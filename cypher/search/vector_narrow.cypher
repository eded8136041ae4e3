// The memories nearest to a query vector, as `search/vector` finds them, narrowed by session, speaker, narrative or
// task too. This statement is for searches in which at least one of these is bound: an open range over a property with
// very many values costs the index a walk through all of them.
// params: $ranges, $about
// returns: more, found
// mode: read
// slots: a, b

// include: viewpoint_of_request
// include: nearest_memories(rows=$ranges, row=x, found=in_range, lists=in_scopes,
//   bound=in_range.scope = x.scope
//     AND in_range.learned_in >= x.learned_from AND in_range.learned_in <= x.learned_to
//     AND in_range.session_id >= x.session_from AND in_range.session_id <= x.session_to
//     AND in_range.speaker_id >= x.speaker_from AND in_range.speaker_id <= x.speaker_to
//     AND in_range.narrative_id >= x.narrative_from AND in_range.narrative_id <= x.narrative_to
//     AND in_range.task_id >= x.task_from AND in_range.task_id <= x.task_to)
// include: nearest_parts(rows=$ranges, row=z, found=part_in_range, lists=parts_in_scopes,
//   bound=part_in_range.scope = z.scope
//     AND part_in_range.learned_in >= z.learned_from AND part_in_range.learned_in <= z.learned_to
//     AND part_in_range.session_id >= z.session_from AND part_in_range.session_id <= z.session_to
//     AND part_in_range.speaker_id >= z.speaker_from AND part_in_range.speaker_id <= z.speaker_to
//     AND part_in_range.narrative_id >= z.narrative_from AND part_in_range.narrative_id <= z.narrative_to
//     AND part_in_range.task_id >= z.task_from AND part_in_range.task_id <= z.task_to)
// include: nearest_about(rows=$about, row=y, found=edge, lists=about_people,
//   bound=edge.person_id >= y.person_from AND edge.person_id <= y.person_to
//     AND edge.chat_id >= y.chat_from AND edge.chat_id <= y.chat_to
//     AND edge.portable >= y.portable_from AND edge.portable <= true
//     AND edge.learned_in >= y.learned_from AND edge.learned_in <= y.learned_to
//     AND edge.speaker_id >= y.speaker_from AND edge.speaker_id <= y.speaker_to)
WITH viewpoint, in_scopes + parts_in_scopes AS near, about_people AS far
// include: nearest
