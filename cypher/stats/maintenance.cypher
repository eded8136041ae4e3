// The time when a step of upkeep last succeeded, in the whole store.
// params: -
// returns: last_maintenance
// mode: read
MATCH (run:MaintenanceRun) WHERE run.ended_at IS NOT NULL AND run.failure IS NULL
RETURN max(run.ended_at) AS last_maintenance
