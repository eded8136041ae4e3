// Where somebody stands who wants to write facts, and what is believed of the key of each that it can matter to: what
// holds at its beginning or later, in all scopes, and the one of its own chain that ended last before; with what of it
// they see, and what they may see though what somebody says of themselves stands in its place (`disclosed`).
// A long history costs nothing: the index knows the ends. What was archived may be told anew.
// Stands behind `fact/lock`. What has run out is retired on the way, since it is believed no longer (T3).
// params: $claims, $scope, $space_id, $no_end
// returns: number, stands, in_group, known, seen, disclosed
// mode: write

// include: viewpoint_of_request
UNWIND $claims AS claim
CALL (claim) {
  MATCH (m:Memory)
  WHERE m.claim_key = claim.key AND m.valid_until > claim.since AND m.retired_at = $no_end AND m.expires_at <= $now
  SET m.retired_at = m.expires_at, m.retired_by = 'expired'
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  // include: relation_times
  RETURN count(m) AS expired
}
CALL (claim, expired) {
  MATCH (m:Memory)
  WHERE m.claim_key = claim.key AND m.valid_until > claim.since AND m.retired_at = $no_end AND m.status = 'active'
  RETURN collect(m {.id, .scope, .persona_id, .space_id, .authority, .value_key, .valid_from, .valid_until, .ended_at, .takes_effect_at,
                   .sensitivity, .portable,
                   worded: m.changed_by IS NOT NULL OR m.changed_at IS NOT NULL}) AS holding
}
CALL (claim, expired) {
  MATCH (m:Memory)
  WHERE m.claim_key = claim.key AND m.valid_until <= claim.since AND m.retired_at = $no_end
    AND m.scope = $scope AND m.persona_id = $persona AND m.space_id = $space_id AND m.authority = claim.authority AND m.status = 'active'
  WITH m ORDER BY m.claim_key DESC, m.valid_until DESC LIMIT 1
  RETURN collect(m {.id, .scope, .persona_id, .space_id, .authority, .value_key, .valid_from, .valid_until, .ended_at, .takes_effect_at,
                   .sensitivity, .portable,
                   worded: m.changed_by IS NOT NULL OR m.changed_at IS NOT NULL}) AS ended
}
WITH claim, viewpoint.alone OR viewpoint.group IS NOT NULL AS stands, viewpoint.group IS NOT NULL AS in_group, holding + ended AS known
// include: my_chats
CALL (known, my_chats, my_groups) {
  UNWIND known AS one
  MATCH (m:Memory {id: one.id})
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: visible
  RETURN collect(m.id) AS seen
}
// The same but for what stands in the place of hearsay.
CALL (known, my_chats, my_groups) {
  UNWIND known AS one
  MATCH (m:Memory {id: one.id})
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: rule
  RETURN collect(m.id) AS disclosed
}
RETURN claim.number AS number, stands, in_group, known, seen, disclosed
