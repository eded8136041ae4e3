// The item with this id, as `held`, if the worker still holds it; after its lease another may have claimed it.
// Statements that look for several do so in the order of their ids, since Neo4j locks what it looks for under several
// labels.
// takes: id
// params: $worker
MATCH (held:Memory|Entity|Session|EntityProfile|SummaryRequest|ScheduledJob|Erasure|Forgetting {id: $$id}) WHERE held.worker = $worker
