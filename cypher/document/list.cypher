// The documents of an import of the viewer's of which a chat holds something that is believed, by their names (W11).
// params: $chat, $import_id, $no_end
// returns: name
// mode: read
MATCH (:Chat {id: $chat})<-[:IN_CHAT]-(:Session)<-[:IN_SESSION]-(m:Memory)
WHERE m.import_id = $import_id AND m.retired_at = $no_end
RETURN DISTINCT m.narrative_id AS name ORDER BY name
