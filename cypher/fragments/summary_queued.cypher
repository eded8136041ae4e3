// Queues a summary. The `request` has the properties that identify it: `line` (the series of versions), `kind`,
// `scope`, `persona_id`, `chat_id`, `space_id`, `session_id`, and `until`: the time of the last turn that it is to
// cover.
// expects: request
// params: $now
MERGE (asked:SummaryRequest {id: request.line})
ON CREATE SET asked += request
// include: queued(node=asked, job='summarize_talk', due_at=$now)
