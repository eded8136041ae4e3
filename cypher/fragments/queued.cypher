// Queues a node for a job, with no attempts so far. A worker that holds the node loses it, since its result would be
// about an older version.
// takes: node, job, due_at
SET $$node:Pending, $$node.job = $$job, $$node.due_at = $$due_at, $$node.attempts = 0
REMOVE $$node:Failed, $$node.failed_at, $$node.failure, $$node.worker
