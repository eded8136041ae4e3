// What ended only because of facts that were taken back, and until when it holds now: as long as they did. Stands behind
// `fact/lock`, so that nobody tells another value meanwhile.
// params: $retired, $now, $no_end
// returns: id, valid_until
// mode: read
UNWIND $retired AS id
MATCH (wrong:Memory {id: id})-[:SUPERSEDES {outranks: false}]->(old:Memory)
WHERE old.retired_at = $no_end AND old.expires_at > $now AND old.ended_at < $no_end
  AND old.valid_until = CASE WHEN old.valid_from > wrong.valid_from THEN old.valid_from ELSE wrong.valid_from END
  AND NOT EXISTS {
    MATCH (other:Memory)-[:SUPERSEDES {outranks: false}]->(old) WHERE other.retired_at = $no_end
  }
RETURN DISTINCT old.id AS id, wrong.valid_until AS valid_until
