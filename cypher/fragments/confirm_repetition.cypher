// Notes that the memory `m` was stated again: its confidence rises halfway to 1, its last access is now, and its
// importance grows when it is stated on several days (W5, W9). Its score stays. The memory is locked first.
// expects: m, day
// params: $now
SET m.lock = $now
WITH *
SET m.confidence = m.confidence + (1 - m.confidence) / 2, m.last_accessed_at = $now,
    m.said_on = CASE WHEN day IN m.said_on THEN m.said_on ELSE m.said_on + day END
CALL (m) {
  WITH m, m.stability AS stability_before WHERE m.owner_id <> ''
  // include: recall_noted
}
SET m.grown_importance = CASE WHEN size(m.said_on) >= 7 THEN 2 WHEN size(m.said_on) >= 3 THEN 1 ELSE 0 END
WITH *
