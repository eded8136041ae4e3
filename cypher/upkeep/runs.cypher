// The runs of steps of upkeep, the latest first, after a position in the list.
// params: $until, $until_id, $limit
// returns: id, job, step, started_at, ended_at, changed, failure
// mode: read
MATCH (run:MaintenanceRun) WHERE run.started_at <= $until AND run.id IS NOT NULL
  AND CASE run.started_at WHEN $until THEN run.id < $until_id ELSE true END
RETURN run.id AS id, run.job AS job, run.step AS step, run.started_at AS started_at, run.ended_at AS ended_at,
       run.changed AS changed, run.failure AS failure
ORDER BY started_at DESC, id DESC LIMIT $limit
