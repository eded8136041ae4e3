// The ids of live facts without an aspect, among the `$limit` memories after a position, ordered by id.
// params: $position, $limit
// returns: ids, position
// mode: read

// include: page_of_ids(label=Memory)
RETURN [m IN page WHERE m.live_key IS NOT NULL AND m.claim_key CONTAINS '|=' | m.id] AS ids,
       // include: next_position
