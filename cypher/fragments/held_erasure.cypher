// The erasure of a person, or the act of forgetting, `erasure` of this id, if the worker still holds it: what another does by
// now is not done twice.
// params: $erasure_id, $worker
MATCH (erasure:Erasure|Forgetting {id: $erasure_id}) WHERE erasure.worker = $worker
