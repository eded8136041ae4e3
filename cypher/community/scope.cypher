// The scope in which a viewer stands, the group's or their own, and with which persona.
// params: -
// returns: scope, group, persona
// mode: read

// include: viewpoint_of_request
RETURN coalesce(viewpoint.group, $viewer) AS scope, coalesce(viewpoint.group, '') AS group, viewpoint.persona AS persona
