// The number of memories that mention each of some entities or are about it, as far as the viewer may see them from
// where they stand.
// params: $keys
// returns: key, mentions
// mode: read

// include: viewpoint_of_request
UNWIND $keys AS key
MATCH (e:Entity {key: key})
CALL (e, viewpoint) {
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  WITH DISTINCT m, viewpoint
  // include: visible
  RETURN count(m) AS mentions
}
RETURN key, mentions
