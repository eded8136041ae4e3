// Keeps the memories `m` that pass the filters of a search (R4). An empty list lets all pass. Times known to the day,
// the month or the year are compared with days (`$after_day`, `$before_day`), others with moments.
// expects: m
// params: $types, $kinds, $categories, $tags, $sources, $sessions, $speakers, $narratives, $tasks, $statuses, $sensitivities, $entities, $spaces, $after, $before, $after_day, $before_day, $least_confidence
WITH * WHERE CASE m.event_precision WHEN 'minute' THEN m.event_until >= $after AND m.event_time < $before
                 ELSE m.event_until >= $after_day AND m.event_time < $before_day END
  AND ($least_confidence <= 0 OR $least_confidence <=
    // include: present_confidence
  )
  AND (size($types) = 0 OR m.type IN $types)
  AND (size($kinds) = 0 OR m.kind IN $kinds)
  AND (size($categories) = 0 OR m.category IN $categories)
  AND (size($sources) = 0 OR m.source IN $sources)
  AND (size($sessions) = 0 OR m.session_id IN $sessions)
  AND (size($speakers) = 0 OR m.speaker_id IN $speakers)
  AND (size($narratives) = 0 OR m.narrative_id IN $narratives)
  AND (size($tasks) = 0 OR m.task_id IN $tasks)
  AND (size($statuses) = 0 OR m.status IN $statuses)
  AND (size($sensitivities) = 0 OR m.sensitivity IN $sensitivities)
  AND (size($spaces) = 0 OR m.space_id IN $spaces)
  AND all(tag IN $tags WHERE tag IN m.tags)
  AND (size($entities) = 0 OR EXISTS { (m)-[:ABOUT|MENTIONS]->(e:Entity) WHERE e.key IN $entities })
