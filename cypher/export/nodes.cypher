// Nodes of a kind, in the order of their ids from a place on, with all that an export has of them; without those that were
// made after it began.
// params: $after, $limit, $begun
// returns: id, labels, times, values
// mode: read
// slots: Use, Memory, RollingSummary, SummarySpine, GraphAnalysis, UserState, Block, Todo, Version, Session, Chat, Space, Credential, Erasure, Forgetting, Purged, EntityProfile, SummaryRequest, MaintenanceRun, ScheduledJob, Persona, Merged, Entity
MATCH (n:$$slot) WHERE n.id > $after AND coalesce(n.created_at <= $begun, true)
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, labels(n) AS labels,
       // include: exported_properties(of=n)
       ORDER BY id
