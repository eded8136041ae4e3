// Computes the claim `key` of the memory `m` in its new wording, its `live_key`, and whether the key is `taken`: by a
// live memory of the same key that the viewer may see. One that they may not see changes nothing (P3): `m` then gets a
// live key of its own beside it.
// expects: m, my_chats and my_groups (fragment my_chats)
// params: $text_key, $no_end
WITH *, m AS old,
     CASE WHEN m.claim_key CONTAINS '|=' THEN split(m.claim_key, '|=')[0] + '|=' + $text_key ELSE m.claim_key END AS key
CALL (old, key, my_chats, my_groups) {
  MATCH (m:Memory {claim_key: key, valid_until: $no_end}) USING INDEX SEEK m:Memory(claim_key, valid_until)
  WHERE old.live_key IS NOT NULL AND key <> old.claim_key AND m.live_key IS NOT NULL AND m.scope = old.scope
    AND m.persona_id = old.persona_id AND m.space_id = old.space_id AND m.authority = old.authority
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: visible
  RETURN count(*) > 0 AS taken
}
WITH *,
// include: live_key(m=old, claim=key)
AS shared_key
WITH *, CASE
  WHEN old.live_key IS NULL THEN null
  WHEN EXISTS { MATCH (holder:Memory {live_key: shared_key}) WHERE holder.id <> old.id } THEN shared_key + '|' + old.id
  ELSE shared_key
END AS live_key
