// The latest turn in which each of the facts `$facts` was found, as far as the viewer may see it from where they
// stand. A turn that states what the fact corrects does not count. For a summary, the latest of its turns.
// params: $facts
// returns: fact, memory, pending, entities
// mode: read

// include: viewpoint_of_request
UNWIND $facts AS of_fact
CALL (of_fact, viewpoint) {
  MATCH (fact:Memory {id: of_fact})-[from:DERIVED_FROM]->(m:Episodic) WHERE fact:Summary OR coalesce(from.quoted, true)
  WITH m, viewpoint ORDER BY m.event_time DESC, m.id DESC
  // include: visible
  WITH m ORDER BY m.event_time DESC, m.id DESC LIMIT 1
  RETURN m
}
WITH viewpoint, of_fact, m
// include: memory_values
RETURN of_fact AS fact, memory, pending, entities
