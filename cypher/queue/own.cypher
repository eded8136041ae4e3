// How many memories of the viewer's own wait for a job.
// params: $viewer
// returns: waiting
// mode: read
MATCH (item:Pending {scope: $viewer}) WHERE item:Memory
RETURN count(item) AS waiting
