// Puts a node on the queue of a job, from its first attempt on. A worker that holds the node loses it: what it writes
// later would be about an older version.
// takes: node, job, due_at
SET $$node:Pending, $$node.job = $$job, $$node.due_at = $$due_at, $$node.attempts = 0
REMOVE $$node:Failed, $$node.failed_at, $$node.failure, $$node.worker
