// The memories nearest to a query vector, best first. Each of `$rows` is one search in a vector index, of this `shape`:
// `scope`: memories of one scope, and parts of its long texts; `here`: of these what was learned in one chat;
// `person`: memories about one person; `learned`: of these what was learned in one chat; `said`: what one person said;
// `told`: what others own and told in the chat, about anybody;
// `scan`: all that is told of a person, compared without the index.
// The fixed labels of a shape are bound inside the index. A label with very many values is never left as an open range,
// because the index would walk through all of them. The rule decides which results are visible.
// params: $rows
// returns: more, found
// mode: read
// slots: a, b

// include: viewpoint_of_request
// include: nearest_memories(rows=[row IN $rows WHERE row.shape = 'scope'], row=x_scope, found=in_scope, lists=in_scopes,
//   bound=in_scope.scope = x_scope.scope)
// include: nearest_memories(rows=[row IN $rows WHERE row.shape = 'here'], row=x_here, found=said_here, lists=said_in_scope,
//   bound=said_here.scope = x_here.scope AND said_here.learned_in = x_here.learned_from)
// include: nearest_parts(rows=[row IN $rows WHERE row.shape = 'scope'], row=y_scope, found=part_in_scope, lists=parts_in_scopes,
//   bound=part_in_scope.scope = y_scope.scope)
// include: nearest_parts(rows=[row IN $rows WHERE row.shape = 'here'], row=y_here, found=part_here, lists=parts_said_here,
//   bound=part_here.scope = y_here.scope AND part_here.learned_in = y_here.learned_from)
// include: nearest_about(rows=[row IN $rows WHERE row.shape = 'person'], row=x_person, found=of_person, lists=about_person,
//   bound=of_person.person_id = x_person.person_from AND of_person.portable = true)
// include: nearest_about(rows=[row IN $rows WHERE row.shape = 'learned'], row=x_learned, found=of_chat, lists=learned_there,
//   bound=of_chat.person_id = x_learned.person_from AND of_chat.learned_in = x_learned.learned_from
//     AND of_chat.portable = true)
// include: nearest_about(rows=[row IN $rows WHERE row.shape = 'said'], row=x_said, found=by_speaker, lists=said_by,
//   bound=by_speaker.person_id = x_said.person_from AND by_speaker.speaker_id = x_said.speaker_from
//     AND by_speaker.portable = true)
// include: nearest_about(rows=[row IN $rows WHERE row.shape = 'told'], row=x_told, found=told_here, lists=told_there,
//   bound=told_here.learned_in = x_told.learned_from AND told_here.chat_id = '')
// include: scanned_about(rows=[row IN $rows WHERE row.shape = 'scan'], lists=scanned_all)
WITH viewpoint, in_scopes + said_in_scope + parts_in_scopes + parts_said_here + told_there AS near, about_person + learned_there + said_by + scanned_all AS far
// include: nearest
