// The latest summary of a session and of the latest talk, in the scope in which the viewer stands and with the persona
// (for a viewer with all personas: with any), and the summary of the viewer. Outside any chat the latest talk may be of
// any space in which the viewer has a chat (P7).
// params: $known_at
// returns: summary
// mode: read

// include: viewpoint_of_request
WITH viewpoint, coalesce(viewpoint.group, $viewer) AS scope,
     CASE WHEN viewpoint.every_persona THEN [''] + COLLECT { MATCH (p:Persona) RETURN p.id } ELSE [viewpoint.persona] END
       AS personas,
     CASE WHEN viewpoint.every_space
          THEN [''] + COLLECT { MATCH (:Person {id: $viewer})-[:PARTICIPATES_IN]->(c:Chat) RETURN DISTINCT '|' + c.space_id }
          ELSE ['', '|' + viewpoint.space] END AS in_spaces
CALL (viewpoint, scope, personas, in_spaces) {
  UNWIND in_spaces AS in_space
  MATCH (m:Summary) USING INDEX SEEK m:Summary(line, created_at)
  WHERE m.line IN [persona IN personas | 'rolling|' + scope + '|' + persona + in_space]
    AND m.created_at <= $known_at AND m.retired_at > $known_at
  // include: visible
  RETURN m ORDER BY m.until DESC, m.created_at DESC, m.id DESC LIMIT 1
UNION
  MATCH (m:Summary) USING INDEX SEEK m:Summary(line, created_at)
  WHERE m.line = 'spine|' + $viewer + '|' AND m.created_at <= $known_at AND m.retired_at > $known_at
  // include: visible
  RETURN m
UNION
  UNWIND personas AS persona
  CALL (viewpoint, scope, persona) {
    MATCH (m:SessionSummary) USING INDEX SEEK m:SessionSummary(scope, persona_id, until, id)
    WHERE m.scope = scope AND m.persona_id = persona AND m.until IS NOT NULL AND m.id IS NOT NULL
    // include: visible
    RETURN m ORDER BY m.scope DESC, m.persona_id DESC, m.until DESC, m.id DESC LIMIT 1
  }
  RETURN m ORDER BY m.until DESC, m.id DESC LIMIT 1
}
// include: as_summary
RETURN summary ORDER BY summary.created_at DESC, summary.id DESC
