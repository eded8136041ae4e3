// What waits for a job carries Pending and the job's name, sessions too; what was given up carries Failed.
MATCH (n:Pending|Failed) WHERE n.job IS NULL
CALL (n) { SET n.job = 'enrich' } IN TRANSACTIONS OF 10000 ROWS;
MATCH (s:Session) WHERE s.due_at IS NOT NULL
CALL (s) {
  SET s:Pending, s.job = 'consolidate', s.attempts = coalesce(s.attempts, 0)
  REMOVE s.failed_at
} IN TRANSACTIONS OF 10000 ROWS;
MATCH (s:Session) WHERE s.due_at IS NULL AND s.failed_at IS NOT NULL
CALL (s) { SET s:Failed, s.job = 'consolidate' } IN TRANSACTIONS OF 10000 ROWS;
// A merge that is taken back restores what its entity waited for.
MATCH ()-[merge:MERGED_INTO]->() WHERE merge.due_at IS NOT NULL OR merge.failed_at IS NOT NULL
CALL (merge) { SET merge.job = 'enrich' } IN TRANSACTIONS OF 10000 ROWS;
MATCH (n:Memory|Entity|Session) WHERE n.claim_lock IS NOT NULL
CALL (n) { REMOVE n.claim_lock } IN TRANSACTIONS OF 10000 ROWS;
CREATE INDEX pending_job IF NOT EXISTS FOR (n:Pending) ON (n.job, n.due_at);
CREATE INDEX failed_job IF NOT EXISTS FOR (n:Failed) ON (n.job, n.failed_at);
DROP INDEX pending_due IF EXISTS;
DROP INDEX failed_at IF EXISTS;
DROP INDEX session_due IF EXISTS;
DROP INDEX session_failed IF EXISTS;
