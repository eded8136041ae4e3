// Keeps of the memories `m` those that the viewer may see from where they stand, at the two times of the read (P1, P2
// in a first version, M14). Every statement that returns memories, or anything computed from them, includes it.
// expects: m, place (a map of chat, persona and takes_part: from the fragment `here`, or `home` for the memory's own)
// params: $viewer, $as_of, $known_at
WITH * WHERE m.created_at <= $known_at AND m.retired_at > $known_at AND m.expires_at > $known_at
  AND m.valid_from <= $as_of AND (m.valid_until > $as_of OR m.ended_at > $known_at)
  AND m.persona_id IN ['', place.persona]
  AND (m.owner_id = $viewer OR place.takes_part AND m.chat_id = place.chat)
