// Queues summaries of talk for a new version if a source of the present one is no longer believed, was reworded or has
// become more private.
// params: $limit, $now, $no_end
// returns: queued
// mode: write
MATCH (s:Summary) WHERE s.line IS NOT NULL AND s.retired_at = $no_end AND EXISTS {
  MATCH (s)-[:DERIVED_FROM]->(m:Memory) WHERE
  // include: stale_source
}
AND NOT EXISTS { (waiting:SummaryRequest {id: s.line}) }
WITH s ORDER BY s.line LIMIT $limit
WITH
// include: request_of(summary=s)
// include: summary_queued
RETURN count(asked) AS queued
