// Finds the node of a kind and an id by the index of that kind. A label that is a parameter would use no index.
// expects: row
// takes: kind, id, node
// params: -
CALL (row) {
  WITH * WHERE $$kind = 'Use'
  MATCH ($$node:Use {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Memory'
  MATCH ($$node:Memory {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'RollingSummary'
  MATCH ($$node:RollingSummary {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'SummarySpine'
  MATCH ($$node:SummarySpine {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'GraphAnalysis'
  MATCH ($$node:GraphAnalysis {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'UserState'
  MATCH ($$node:UserState {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Block'
  MATCH ($$node:Block {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Todo'
  MATCH ($$node:Todo {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Version'
  MATCH ($$node:Version {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Session'
  MATCH ($$node:Session {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Chat'
  MATCH ($$node:Chat {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Space'
  MATCH ($$node:Space {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Credential'
  MATCH ($$node:Credential {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Erasure'
  MATCH ($$node:Erasure {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Forgetting'
  MATCH ($$node:Forgetting {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Purged'
  MATCH ($$node:Purged {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'EntityProfile'
  MATCH ($$node:EntityProfile {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'SummaryRequest'
  MATCH ($$node:SummaryRequest {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'MaintenanceRun'
  MATCH ($$node:MaintenanceRun {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'ScheduledJob'
  MATCH ($$node:ScheduledJob {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Persona'
  MATCH ($$node:Persona {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Merged'
  MATCH ($$node:Merged {id: $$id})
  RETURN $$node
UNION ALL
  WITH * WHERE $$kind = 'Entity'
  MATCH ($$node:Entity {id: $$id})
  RETURN $$node
}
