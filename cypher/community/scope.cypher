// The scope where a viewer stands (that of the group, or their own), the persona and the space. Outside any chat there
// is no space, unless the viewer gives one.
// params: -
// returns: scope, group, persona, space
// mode: read

// include: viewpoint_of_request
RETURN coalesce(viewpoint.group, $viewer) AS scope, coalesce(viewpoint.group, '') AS group, viewpoint.persona AS persona,
       coalesce(viewpoint.space, '') AS space
