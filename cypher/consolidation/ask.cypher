// Asks for a session to be consolidated as it is now; for who takes part in its chat.
// params: $id
// returns: session
// mode: write

// include: my_chats
MATCH (s:Session {id: $id}) WHERE s.chat_id IN my_chats OR $trusted
SET s:Pending, s.asked = true, s.unconsolidated = true,
    s.due_at = CASE WHEN s.worker IS NULL THEN $now ELSE s.due_at END, s.attempts = 0
REMOVE s:Failed, s.failed_at
RETURN s {.*} AS session
