// The state of the viewer at the two times of the read (M14): one value of each key. A value of the persona precedes
// one of none, and within a space one of that space precedes one of none (P7). For a context in a group only name and
// preferred address are returned, and in the present also what is marked for groups (P6).
// params: $viewer, $for_context
// returns: state
// mode: read

// include: viewpoint_of_request
// include: state_times
CALL (as_of, known_at) {
  MATCH (lasting:UserState) USING INDEX SEEK lasting:UserState(person_id, valid_until)
  WHERE lasting.person_id = $viewer AND lasting.valid_until > as_of
  RETURN lasting AS s
UNION
  MATCH (ended:UserState) USING INDEX SEEK ended:UserState(person_id, ended_at)
  WHERE ended.person_id = $viewer AND ended.ended_at > known_at
  RETURN ended AS s
}
WITH * WHERE s.valid_from <= as_of AND s.persona_id IN ['', viewpoint.persona]
  AND coalesce(s.space_id, '') IN ['', viewpoint.within]
// include: known_states
WITH * ORDER BY s.persona_id DESC, coalesce(s.space_id, '') DESC
WITH known_at, viewpoint, s.key AS key, collect(s)[0] AS s
WHERE NOT $for_context OR viewpoint.alone OR key IN ['name', 'preferred_address']
   OR ($as_of IS NULL AND $known_at IS NULL AND coalesce(s.for_groups, false))
// include: as_state
RETURN state ORDER BY key
