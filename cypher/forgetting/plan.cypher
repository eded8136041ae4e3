// Creates an empty plan of forgetting for the viewer, and returns the owners and groups whose memories are to be
// looked through. Of the earlier plans that were never carried out, the latest `$most` are kept.
// params: $forgetting_id, $asked, $most, $viewer, $now
// returns: scopes
// mode: write

// include: my_chats
MATCH (p:Person {id: $viewer})
CALL (p) {
  MATCH (old:Forgetting) WHERE old.person_id = p.id AND old.requested_at IS NOT NULL AND old.id IS NOT NULL AND old.status = 'planned'
  WITH old ORDER BY old.requested_at DESC, old.id DESC SKIP $most
  DETACH DELETE old
}
CREATE (:Forgetting {
  id: $forgetting_id, person_id: $viewer, status: 'planned', requested_at: $now, asked: $asked, examples: [], chats: [],
  done: 0, planned_turns: 0, planned_facts: 0, planned_procedures: 0, planned_opinions: 0, planned_given_up: 0, planned_found: 0,
  removed: [], rewritten: [], turns: 0, facts: 0, summaries: 0, versions: 0, reworded: 0, todos: 0, sessions: 0, relations: 0,
  entities: 0
})
RETURN [$viewer] + my_groups AS scopes
