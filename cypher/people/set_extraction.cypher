// Says which statements are extracted from what is said in a chat from now on; who takes part in it may, and who
// may do so `$by_right`.
// params: $chat, $extraction, $now
// returns: chat
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.extraction = $extraction
RETURN c {.*} AS chat
