// Moves the memories `moving` into the space `target` (`''`: none). `words` are the index terms of that space,
// `gone_words` those of the spaces that they leave (P7).
// In the chain that they leave, what one of them ended holds again, and what was ended there holds again in the other
// space: `again` says until when, for `fact/change_end`. In the chain that they join they take their place in time
// (W5). A memory of no space that would be ended there is only outranked, so that it stays for whoever does not see the
// space. Summaries made of the memories are made anew.
// expects: moving, target, words, gone_words
// params: $now, $no_end
CALL (moving) {
  UNWIND moving AS m
  MATCH (m)-[:ABOUT {primary: true}]->(e:Entity)
  WITH DISTINCT e ORDER BY e.id
  SET e.lock = $now
}
CALL (moving, target) {
  UNWIND moving AS m
  MATCH (m)-[ended:SUPERSEDES {outranks: false}]->(old:Memory)
  WHERE NOT old IN moving AND old.retired_at = $no_end AND old.space_id = m.space_id AND m.retired_at = $no_end
  WITH m, ended, old, target, old.ended_at < $no_end AND old.status = 'active' AND old.expires_at > $now
    AND old.valid_until = CASE WHEN old.valid_from > coalesce(m.takes_effect_at, m.valid_from) THEN old.valid_from
                               ELSE coalesce(m.takes_effect_at, m.valid_from) END
    AND NOT EXISTS {
      MATCH (other:Memory)-[:SUPERSEDES {outranks: false}]->(old) WHERE other <> m AND other.retired_at = $no_end
    } AS holds
  DELETE ended
  FOREACH (general IN CASE WHEN old.space_id = '' AND old.authority = m.authority THEN [old] ELSE [] END |
    CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: true,
                             valid_from: $now, valid_until: $no_end}]->(general)
    SET general.outranked = true
  )
  RETURN collect(DISTINCT CASE WHEN holds THEN {id: old.id, valid_until: m.valid_until} END) AS left_behind
}
CALL (moving, target) {
  UNWIND moving AS m
  MATCH (newer:Memory)-[ending:SUPERSEDES {outranks: false}]->(m)
  WHERE NOT newer IN moving AND m.retired_at = $no_end AND newer.retired_at = $no_end AND newer.space_id = m.space_id
    AND m.space_id <> ''
  DELETE ending
  WITH DISTINCT m WHERE m.ended_at < $no_end AND m.status = 'active' AND m.expires_at > $now
  RETURN collect({id: m.id, valid_until: $no_end}) AS taken_along
}
WITH *, left_behind + taken_along AS again
CALL (moving, target, words, gone_words) {
  UNWIND moving AS m
  WITH m, target, words, gone_words, m.live_key IS NOT NULL AS live
  REMOVE m.live_key
  SET m.space_id = target, m.facets = [facet IN m.facets WHERE NOT facet IN gone_words] + words
  RETURN collect(CASE WHEN live THEN m END) AS live
}
CALL (live) {
  // include: one_live(merge=null)
  RETURN ended
}
CALL (moving, ended) {
  UNWIND [m IN moving | m.id] + ended AS id
  WITH DISTINCT id
  MATCH (m:Memory {id: id})
  // include: copy_to_about
}
CALL (moving, target) {
  UNWIND moving AS m
  MATCH (m)<-[:DERIVED_FROM]-(t:Todo)
  SET t.space_id = target
}
WITH *, moving AS gone
// include: summaries_remade
