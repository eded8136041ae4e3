// The facts that ended only because of the retired facts `$retired`, and until when they hold now: as long as these
// would have held. Runs after `fact/lock`, so that nobody writes another value meanwhile.
// params: $retired, $now, $no_end
// returns: id, valid_until
// mode: read
UNWIND $retired AS id
MATCH (wrong:Memory {id: id})-[:SUPERSEDES {outranks: false}]->(old:Memory)
WITH wrong, old, coalesce(wrong.takes_effect_at, wrong.valid_from) AS change
WHERE old.retired_at = $no_end AND old.status = 'active' AND old.expires_at > $now AND old.ended_at < $no_end
  AND old.valid_until = CASE WHEN old.valid_from > change THEN old.valid_from ELSE change END
  AND NOT EXISTS {
    MATCH (other:Memory)-[:SUPERSEDES {outranks: false}]->(old) WHERE other.retired_at = $no_end
  }
RETURN DISTINCT old.id AS id, wrong.valid_until AS valid_until
