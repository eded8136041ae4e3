// The time zone of the viewer's days, where they stand.
// params: -
// returns: time_zone
// mode: read

// include: viewpoint_of_request
RETURN
  // include: own_zone
  AS time_zone
