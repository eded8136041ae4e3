// The relationships that start at the nodes `$ids` with the label of the slot, with all exported properties.
// params: $ids
// returns: type, source, target_labels, target, times, values
// mode: read
// slots: Use, Memory, RollingSummary, SummarySpine, GraphAnalysis, UserState, Block, Todo, Version, Session, Chat, Space, Credential, Erasure, Forgetting, Purged, EntityProfile, SummaryRequest, MaintenanceRun, ScheduledJob, Persona, Merged, Entity
UNWIND $ids AS id
MATCH (n:$$slot {id: id})-[r]->(other)
RETURN type(r) AS type, id AS source, labels(other) AS target_labels, other.id AS target,
       // include: exported_properties(of=r)
       ORDER BY source, type, target
