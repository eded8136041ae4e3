// The present and former memberships in chats of the viewer, with their times, the earliest first.
// params: $chats
// returns: membership
// mode: read

// include: my_chats
MATCH (p:Person)-[part:PARTICIPATES_IN]->(c:Chat) WHERE c.id IN $chats AND c.id IN my_chats
RETURN part {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership ORDER BY part.since, p.key
