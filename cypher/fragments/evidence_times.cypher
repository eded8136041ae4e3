// Gives the relation `related` the time for which one of its evidence memories holds (M11): from the first to begin, to the
// last to end, or until that is believed no longer.
// expects: related
// params: $no_end
CALL (related) {
  UNWIND related.evidence AS id
  MATCH (said:Memory {id: id})
  WITH related, min(said.valid_from) AS since,
       max(CASE WHEN said.retired_at < said.valid_until THEN said.retired_at ELSE said.valid_until END) AS until
  WHERE since IS NOT NULL
  SET related.valid_from = since, related.valid_until = until
}
