// Finds the node of a kind and an id by the index of that kind. With the label as a parameter, no index would be used.
// expects: row
// takes: kind, id, node
CALL (row) {
  // include: exported_of(label=Use, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Memory, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=RollingSummary, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=SummarySpine, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=GraphAnalysis, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=UserState, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Block, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Todo, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Version, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Session, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Chat, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Space, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Credential, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Erasure, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Forgetting, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Purged, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=EntityProfile, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=SummaryRequest, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=MaintenanceRun, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=ScheduledJob, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Persona, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Merged, kind=$$kind, id=$$id, node=$$node)
UNION ALL
  // include: exported_of(label=Entity, kind=$$kind, id=$$id, node=$$node)
}
