// The status of an act of forgetting that the worker holds, its person, and the chats in which turns were purged.
// params: $erasure_id, $worker
// returns: status, person_id, chats
// mode: read

// include: held_erasure
RETURN erasure.status AS status, erasure.person_id AS person_id, erasure.chats AS chats
