// The names of those who take part in a chat now, for a viewer who does too.
// params: -
// returns: names
// mode: read

// include: here
CALL (place) {
  WITH place WHERE place.takes_part
  MATCH (p:Person)-[part:PARTICIPATES_IN]->(:Chat {id: $chat}) WHERE part.since <= $now AND part.until > $now
  RETURN collect(DISTINCT p.canonical_name) AS names
}
RETURN names
