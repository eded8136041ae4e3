// Queues entities for a summary in each scope in which at least `$least` memories name them or are about them and there
// is no summary. Looks at the `$limit` entities after a position, ordered by id. `position` is the next position, null
// at the end.
// params: $position, $limit, $least, $now, $no_end
// returns: changed, position
// mode: write

// include: page_of_ids(label=Entity)
CALL (page) {
  UNWIND page AS e
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  WHERE m.retired_at = $no_end AND m.expires_at > $now AND m.status = 'active' AND NOT m:Summary
  WITH e, m.scope AS scope, m.persona_id AS persona, m.chat_id AS chat, m.space_id AS space, count(DISTINCT m) AS named
  WHERE named >= $least
    AND NOT EXISTS { (waiting:EntityProfile {id:
      // include: profile_id(scope=scope, persona=persona, space=space)
    }) }
    AND NOT EXISTS {
      MATCH (e)<-[:SUMMARIZES]-(s:EntitySummary)
      WHERE s.scope = scope AND s.persona_id = persona AND s.space_id = space AND s.retired_at = $no_end
    }
  WITH e, scope, persona, chat, space ORDER BY e.id, scope, persona, space
  // include: profile_queued(scope=scope, persona=persona, chat=chat, space=space)
  RETURN count(profile) AS changed
}
RETURN changed,
       // include: next_position
