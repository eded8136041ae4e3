// Says which statements are extracted from what is said in a chat from now on (`extraction`), or in which time zone people talk
// there (`time_zone`; null: each in their own); who takes part in it may, and who may do so `$by_right`.
// params: $chat, $values, $now
// returns: chat
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c += $values
RETURN c {.*} AS chat
