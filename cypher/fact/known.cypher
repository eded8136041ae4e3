// Whether the viewer takes part in the chat where they want to write facts (`stands`, `in_group`), and the believed
// facts that matter to each claim. These are the facts of its key, in all scopes, that hold at its beginning or later,
// and the one of its own chain that ended last before it. `seen` are those that the viewer may see. `disclosed` are
// those that the viewer may see when nothing outranks them. The length of the history does not matter: an index has
// the ends. Archived facts are left out, since they may be stored anew. Runs after `fact/lock`. Expired facts are
// retired on the way, since they are no longer believed (T3).
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
// As above, but by the rule alone: hearsay that is outranked counts too.
CALL (known, my_chats, my_groups) {
  UNWIND known AS one
  MATCH (m:Memory {id: one.id})
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: rule
  RETURN collect(m.id) AS disclosed
}
RETURN claim.number AS number, stands, in_group, known, seen, disclosed
