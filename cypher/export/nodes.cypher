// A page of the nodes with the label of the slot, in the order of their ids, with all exported properties. Nodes
// created after the export began are left out.
// params: $after, $limit, $begun
// returns: id, labels, times, values
// mode: read
// slots: Use, Memory, RollingSummary, SummarySpine, GraphAnalysis, UserState, Block, Todo, Version, Session, Chat, Space, Credential, Erasure, Forgetting, Purged, EntityProfile, SummaryRequest, MaintenanceRun, ScheduledJob, Persona, Merged, Entity
MATCH (n:$$slot) WHERE n.id > $after AND coalesce(n.created_at <= $begun, true)
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, labels(n) AS labels,
       // include: exported_properties(of=n)
       ORDER BY id
