// Queues a session for consolidation. A worker that holds it keeps it, and checks when it is done whether there is more
// to do.
// takes: session, job, due_at
SET $$session:Pending, $$session.attempts = coalesce($$session.attempts, 0),
    $$session.job = CASE WHEN $$session.worker IS NULL THEN $$job ELSE 'consolidate' END,
    $$session.due_at = CASE WHEN $$session.worker IS NULL THEN $$due_at ELSE $$session.due_at END
REMOVE $$session:Failed, $$session.failed_at
