// A page of the viewer's blocks, without deleted ones.
// params: $viewer, $space, $after, $limit
// returns: id, labels, times, values
// mode: read
CALL () {
  MATCH (b:Block) WHERE b.id > $after AND b.person_id = $viewer AND b.key IS NOT NULL
    AND ($space IS NULL OR coalesce(b.space_id, '') IN ['', $space])
  RETURN b AS seen ORDER BY b.id LIMIT $limit
}
// include: exported_seen(of=seen)
