// When something happened has a precision, and so an end: a month passes a filter when some of it does (M2). What has no
// more was known to the minute; of a fact midnight is a day. The vector indexes carry the end: they are declared anew at
// the start.
DROP INDEX memory_vector_a IF EXISTS;
DROP INDEX memory_vector_b IF EXISTS;
DROP INDEX about_vector_a IF EXISTS;
DROP INDEX about_vector_b IF EXISTS;
MATCH (m:Memory) WHERE m.event_until IS NULL
CALL (m) {
  WITH m, NOT m:Episodic AND time(m.event_time) = time('00:00Z') AND m.kind IN ['event', 'task'] AS day
  SET m.event_precision = CASE WHEN day THEN 'day' ELSE 'minute' END,
      m.event_until = CASE WHEN day THEN m.event_time + duration({days: 1}) - duration({microseconds: 1})
                           ELSE m.event_time END
  WITH m
  MATCH (m)-[r:ABOUT]->(:Person)
  SET r.event_until = m.event_until
} IN TRANSACTIONS OF 1000 ROWS;
// A habit and a fact of one aspect are one matter (W5). Of two that are live both stay so, the later under a key of its own.
MATCH (m:Memory)
WHERE m.claim_key IS NOT NULL AND NOT m.claim_key CONTAINS '|=' AND split(m.claim_key, '|')[2] <> 'fact'
CALL (m) {
  WITH m, split(m.claim_key, '|') AS parts
  WITH m, parts[0] + '|' + parts[1] + '|fact|' + parts[3] AS key
  SET m.claim_key = key
  WITH m, m.scope + '|' + m.persona_id + '|' + key + '|' + m.authority AS shared_key WHERE m.live_key IS NOT NULL
  SET m.live_key = CASE WHEN EXISTS { MATCH (holder:Memory {live_key: shared_key}) WHERE holder <> m }
                        THEN shared_key + '|' + m.id ELSE shared_key END
} IN TRANSACTIONS OF 1 ROW;
// What entities are to each other holds for as long as one of the memories that say so (M11).
MATCH (:Entity)-[related:RELATED_TO]->(:Entity)
CALL (related) {
  UNWIND related.evidence AS id
  MATCH (said:Memory {id: id})
  WITH related, min(said.valid_from) AS since,
       max(CASE WHEN said.retired_at < said.valid_until THEN said.retired_at ELSE said.valid_until END) AS until
  WHERE since IS NOT NULL
  SET related.valid_from = since, related.valid_until = until
} IN TRANSACTIONS OF 1000 ROWS;
