// Deletes a plan of the viewer that selects too many memories.
// params: $forgetting_id, $viewer
// returns: -
// mode: write
MATCH (f:Forgetting {id: $forgetting_id, person_id: $viewer, status: 'planned'})
DETACH DELETE f
