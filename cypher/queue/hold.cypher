// Renews a worker's lease on items that it still holds.
// params: $ids, $worker, $lease_until
// returns: -
// mode: write
UNWIND $ids AS id
WITH id ORDER BY id
// include: leased_item(id=id)
WITH held ORDER BY held:Entity, held.id
SET held.due_at = $lease_until
