// What fades next: facts by the day on which their confidence falls below 0.05 (HIPPOGRAPH_DECAY_THRESHOLD)
WITH 0.05 AS threshold
MATCH (m:Memory)
WHERE NOT m:Episodic AND m.decay_rate > 0 AND m.confidence > threshold AND m.retired_at > datetime()
  AND m.status = 'active' AND NOT coalesce(m.pinned, false)
WITH m, coalesce(m.last_accessed_at, m.created_at) AS since, (log(m.confidence / threshold) / m.decay_rate) ^ 1.25 AS days
RETURN date(since + duration({days: days})) AS fades, m.content AS fact, m.confidence AS confidence,
       m.access_count AS recalled, m
ORDER BY since + duration({days: days}), m.id
LIMIT 25
