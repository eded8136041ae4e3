// Counts the viewer's own memories that wait for a job.
// params: $viewer
// returns: waiting
// mode: read
MATCH (item:Pending {scope: $viewer}) USING INDEX SEEK item:Pending(scope) WHERE item:Memory
RETURN count(item) AS waiting
