// What the models read of the memories and entities that a worker holds.
// params: $ids, $worker
// returns: id, content, heading, chat, entity, without_aspect
// mode: read
UNWIND $ids AS id
// include: held(id=id)
RETURN held.id AS id, held.content AS content, coalesce(held.heading, '') AS heading,
       coalesce(held.learned_in, '') AS chat,
       CASE WHEN held:Entity THEN held {.canonical_name, .aliases, .type} END AS entity,
       coalesce(held.claim_key CONTAINS '|=', false) AS without_aspect
