// The facts whose decayed confidence at `$moment` is below `$below`, the weakest first, from a place in the list on:
// the viewer's own, those of their chats and those about them, each judged where it belongs. A confidence c decays to
// c · e^(−λ · d^0.8) in d days after the last access (T2).
// params: $moment, $below, $confidence, $after, $limit
// returns: memory, pending, entities, decayed, stored, decay_rate, since, expires_at
// mode: read

// include: my_chats
// include: own_memories
WITH * WHERE NOT m:Episodic AND m.decay_rate > 0
WITH *, coalesce(m.last_accessed_at, m.created_at) AS since
WITH *, ($moment.epochMillis - since.epochMillis) / 86400000.0 AS days
WITH *, m.confidence * exp(-m.decay_rate * CASE WHEN days > 0 THEN days ELSE 0.0 END ^ 0.8) AS decayed
WITH * WHERE decayed < $below AND (decayed > $confidence OR decayed = $confidence AND m.id > $after)
// include: viewpoint_of_memory
// include: visible
WITH m, viewpoint, decayed, since ORDER BY decayed, m.id LIMIT $limit
// include: memory_values
RETURN memory, pending, entities, decayed, m.confidence AS stored, m.decay_rate AS decay_rate, since, m.expires_at AS expires_at
ORDER BY decayed, m.id
