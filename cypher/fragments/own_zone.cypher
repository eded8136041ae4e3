// The time zone of the viewer's days: that of their account, else of the chat in which they stand, else the default of
// the settings: an expression.
// expects: viewpoint (fragment viewpoint_of_request)
// params: $viewer, $default_zone
coalesce(COLLECT { MATCH (p:Person {id: $viewer}) RETURN p.time_zone }[0],
         COLLECT { MATCH (c:Chat {id: coalesce(viewpoint.group, viewpoint.private)}) RETURN c.time_zone }[0], $default_zone)
