// What the models need of the memories and entities that a worker holds. Only an entity has names; a summary names
// what its sources name, so no names are searched in its text. For entity linking, what somebody told outside chats
// was told in a chat with themselves alone, with their id. In a private chat the `speaker` for the assistant is the
// person there. Nobody else is meant by the name of the `persona`.
// params: $ids, $worker
// returns: id, type, names, content, attached, heading, chat, speaker, speaker_name, by_assistant, persona, without_aspect, summary
// mode: read
UNWIND $ids AS id
// include: leased_item(id=id)
RETURN held.id AS id, held.type AS type, CASE WHEN held:Entity THEN [held.canonical_name] + held.aliases ELSE [] END AS names,
       coalesce(held.content, '') AS content, held.attachments IS NOT NULL AS attached,
       coalesce(held.heading, '') AS heading,
       coalesce(CASE held.learned_in WHEN '' THEN held.scope ELSE held.learned_in END, '') AS chat,
       coalesce(CASE held.source_role WHEN 'assistant' THEN held.owner_id ELSE held.speaker_id END, '') AS speaker,
       coalesce(held.speaker_name, '') AS speaker_name,
       coalesce(held.source_role = 'assistant', false) AS by_assistant,
       coalesce(COLLECT { MATCH (p:Persona {id: held.persona_id}) RETURN p.name }[0], '') AS persona,
       coalesce(held.claim_key CONTAINS '|=', false) AS without_aspect,
       held:Summary AS summary
