// Says in which time zone people talk in a chat (null: each in their own); who takes part in it may, and who may do so
// `$by_right`.
// params: $chat, $time_zone, $now
// returns: id
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.time_zone = $time_zone
RETURN c.id AS id
