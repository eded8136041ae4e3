// The time zone of the viewer's days, from their viewpoint.
// params: -
// returns: time_zone
// mode: read

// include: viewpoint_of_request
RETURN
  // include: own_zone
  AS time_zone
