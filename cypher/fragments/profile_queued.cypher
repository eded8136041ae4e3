// Queues a summary of the entity `e` in a scope. The id of the queue item names both.
// expects: e
// takes: scope, persona, chat, space
// params: $now
MERGE (profile:EntityProfile {id:
  // include: profile_id(scope=$$scope, persona=$$persona, space=$$space)
})
ON CREATE SET profile.entity_id = e.id, profile.scope = $$scope, profile.persona_id = $$persona, profile.chat_id = $$chat,
              profile.space_id = $$space
// include: queued(node=profile, job='summarize', due_at=$now)
