// What the viewer planned to forget, forgot and purged, the latest first, from a place in the list on; or the one of an id.
// params: $forgetting_id, $until, $until_id, $limit, $viewer
// returns: forgetting
// mode: read
MATCH (f:Forgetting) USING INDEX f:Forgetting(person_id, requested_at, id)
WHERE f.person_id = $viewer AND f.requested_at <= $until AND f.id IS NOT NULL
  AND (f.requested_at < $until OR f.id < $until_id) AND ($forgetting_id IS NULL OR f.id = $forgetting_id)
WITH f ORDER BY f.requested_at DESC, f.id DESC LIMIT $limit
// include: as_forgetting
ORDER BY f.requested_at DESC, f.id DESC
