// The erasure `erasure` of this id, if the worker still holds it: what another does by now is not done twice.
// expects: -
// params: $erasure_id, $worker
MATCH (erasure:Erasure {id: $erasure_id}) WHERE erasure.worker = $worker
