// Puts a summary on the queue. The `request` has the properties of what it is of: `line` (which one of all it is), `kind`,
// `scope`, `persona_id`, `chat_id`, `space_id`, `session_id`, and `until`: when the last turn was said that it is to know of.
// expects: request
// params: $now
MERGE (asked:SummaryRequest {id: request.line})
ON CREATE SET asked += request
// include: queued(node=asked, job='summarize_talk', due_at=$now)
