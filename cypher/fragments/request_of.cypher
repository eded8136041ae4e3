// The `request` of another version of the summary $$summary: an expression (fragment summary_queued).
// takes: summary
{line: $$summary.line, kind: $$summary.summary_kind, scope: $$summary.scope, persona_id: $$summary.persona_id,
 chat_id: $$summary.chat_id, space_id: $$summary.space_id, session_id: $$summary.of_session, until: $$summary.until} AS request
