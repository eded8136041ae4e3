// Sets the valid time of the relation `related` from its evidence memories (M11): from the earliest beginning to the
// latest end. A memory ends at the latest when it was retired. A dated event holds for its whole day, month or year.
// expects: related
// params: $no_end
CALL (related) {
  UNWIND related.evidence AS id
  MATCH (said:Memory {id: id})
  WITH related, said, said.kind = 'event' AND said.event_precision IN ['day', 'month', 'year'] AS dated
  WITH related, said, CASE WHEN dated THEN said.event_time ELSE said.valid_from END AS since,
       CASE WHEN dated THEN said.event_until ELSE said.valid_until END AS until
  WITH related, min(since) AS since,
       max(CASE WHEN said.retired_at < until THEN said.retired_at ELSE until END) AS until
  WHERE since IS NOT NULL
  SET related.valid_from = since, related.valid_until = until
}
