// The latest summary of a session of the scope in which the viewer stands, and of its latest talk, with the persona (who
// looks with all personas: with any of them), and that of the viewer.
// params: -
// returns: summary
// mode: read

// include: viewpoint_of_request
WITH viewpoint, coalesce(viewpoint.group, $viewer) AS scope,
     CASE WHEN viewpoint.every_persona THEN [''] + COLLECT { MATCH (p:Persona) RETURN p.id } ELSE [viewpoint.persona] END
       AS personas
CALL (viewpoint, scope, personas) {
  MATCH (m:Summary) WHERE m.line IN [persona IN personas | 'rolling|' + scope + '|' + persona]
  // include: visible
  RETURN m ORDER BY m.until DESC, m.created_at DESC, m.id DESC LIMIT 1
UNION
  MATCH (m:Summary) WHERE m.line = 'spine|' + $viewer + '|'
  // include: visible
  RETURN m
UNION
  UNWIND personas AS persona
  CALL (viewpoint, scope, persona) {
    MATCH (m:SessionSummary) USING INDEX m:SessionSummary(scope, persona_id, until, id)
    WHERE m.scope = scope AND m.persona_id = persona AND m.until IS NOT NULL AND m.id IS NOT NULL
    // include: visible
    RETURN m ORDER BY m.scope DESC, m.persona_id DESC, m.until DESC, m.id DESC LIMIT 1
  }
  RETURN m ORDER BY m.until DESC, m.id DESC LIMIT 1
}
// include: as_summary
RETURN summary ORDER BY summary.created_at DESC, summary.id DESC
