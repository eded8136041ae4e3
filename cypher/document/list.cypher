// The names of the documents of an import from which a chat holds memories that are not retired, sorted (W11).
// params: $chat, $import_id, $no_end
// returns: name
// mode: read
MATCH (:Chat {id: $chat})<-[:IN_CHAT]-(:Session)<-[:IN_SESSION]-(m:Memory)
WHERE m.import_id = $import_id AND m.retired_at = $no_end
RETURN DISTINCT m.narrative_id AS name ORDER BY name
