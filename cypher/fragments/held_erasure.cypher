// The erasure or act of forgetting `$erasure_id`, as `erasure`, if the worker still holds it; so no work is done twice
// if another worker has taken over.
// params: $erasure_id, $worker
MATCH (erasure:Erasure|Forgetting {id: $erasure_id}) WHERE erasure.worker = $worker
