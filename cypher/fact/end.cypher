// Gives facts an end in valid time that nobody knew of before (M14); they are the newest of their key no more.
// params: $rows, $now
// returns: id
// mode: write
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
SET m.valid_until = row.valid_until, m.ended_at = $now
REMOVE m.live_key
WITH m
// include: about_marks
RETURN m.id AS id
