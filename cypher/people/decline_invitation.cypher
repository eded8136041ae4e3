// Deletes the viewer's invitation to a chat.
// params: $chat, $viewer, $now
// returns: declined
// mode: write
MATCH (:Person {id: $viewer})-[asked:INVITED_TO]->(:Chat {id: $chat}) WHERE asked.until > $now
DELETE asked
RETURN count(*) AS declined
