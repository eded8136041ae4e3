// The item `held` of this id, if the worker still holds it: after its lease another may have claimed it.
// expects: -
// takes: id
// params: $worker
MATCH (held:Memory|Entity|Session|EntityProfile|SummaryRequest|ScheduledJob|Erasure {id: $$id}) WHERE held.worker = $worker
