// Sets which statements are extracted from a chat from now on (`extraction`), or the time zone in which people talk
// there (`time_zone`; null: each in their own). Participants and `$by_right` may.
// params: $chat, $values, $now
// returns: chat
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c += $values
RETURN c {.*} AS chat
