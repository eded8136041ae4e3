// Puts the entity `e` on the queue for a summary in a scope. Its id says of what and where.
// expects: e
// takes: scope, persona, chat
// params: $now
MERGE (profile:EntityProfile {id: e.id + '|' + $$scope + '|' + $$persona})
ON CREATE SET profile.entity_id = e.id, profile.scope = $$scope, profile.persona_id = $$persona, profile.chat_id = $$chat
// include: queued(node=profile, job='summarize', due_at=$now)
