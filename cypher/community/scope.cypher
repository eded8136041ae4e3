// The scope in which a viewer stands, the group's or their own, with which persona and within which space; outside any
// chat within none, unless the viewer says which.
// params: -
// returns: scope, group, persona, space
// mode: read

// include: viewpoint_of_request
RETURN coalesce(viewpoint.group, $viewer) AS scope, coalesce(viewpoint.group, '') AS group, viewpoint.persona AS persona,
       coalesce(viewpoint.space, '') AS space
