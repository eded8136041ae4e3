// Scheduled upkeep (T7, T8): one item for each job, and a record of each run.
CREATE CONSTRAINT scheduled_job_id IF NOT EXISTS FOR (j:ScheduledJob) REQUIRE j.id IS UNIQUE;
CREATE CONSTRAINT maintenance_run_id IF NOT EXISTS FOR (r:MaintenanceRun) REQUIRE r.id IS UNIQUE;
CREATE INDEX maintenance_run_started IF NOT EXISTS FOR (r:MaintenanceRun) ON (r.started_at, r.id);
// The archive of a scope, the latest first (R12).
CREATE INDEX archived_scope_time IF NOT EXISTS FOR (m:Archived) ON (m.scope, m.archived_at, m.id);
MATCH (m:Archived) WHERE m.archived_at IS NULL
CALL (m) { SET m.archived_at = m.created_at } IN TRANSACTIONS OF 1000 ROWS;
