// The latest summary of a session of the scope in which the viewer stands, and of its latest talk, with the persona, and
// that of the viewer.
// params: -
// returns: summary
// mode: read

// include: viewpoint_of_request
CALL (viewpoint) {
  CALL (viewpoint) {
    MATCH (m:Summary) WHERE m.line IN ['rolling|' + coalesce(viewpoint.group, $viewer) + '|' + $persona, 'spine|' + $viewer + '|']
    // include: visible
    RETURN m
  UNION
    MATCH (m:SessionSummary) USING INDEX m:SessionSummary(scope, persona_id, until, id)
    WHERE m.scope = coalesce(viewpoint.group, $viewer) AND m.persona_id = $persona AND m.until IS NOT NULL AND m.id IS NOT NULL
    // include: visible
    RETURN m ORDER BY m.scope DESC, m.persona_id DESC, m.until DESC, m.id DESC LIMIT 1
  }
  RETURN m
}
// include: as_summary
RETURN summary ORDER BY summary.created_at DESC, summary.id DESC
