// Puts the entity `e` on the queue for a summary in a scope. Its id says of what and where.
// expects: e
// takes: scope, persona, chat, space
// params: $now
MERGE (profile:EntityProfile {id:
  // include: profile_id(scope=$$scope, persona=$$persona, space=$$space)
})
ON CREATE SET profile.entity_id = e.id, profile.scope = $$scope, profile.persona_id = $$persona, profile.chat_id = $$chat,
              profile.space_id = $$space
// include: queued(node=profile, job='summarize', due_at=$now)
