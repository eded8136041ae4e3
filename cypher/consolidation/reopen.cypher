// What ended only because of facts that were taken back, and until when it holds now: as long as they did. Takes the
// locks of whom they are about, as `fact/lock` does, so that nobody tells another value meanwhile.
// params: $retired, $now, $no_end
// returns: id, valid_until
// mode: write
UNWIND $retired AS id
MATCH (wrong:Memory {id: id})
OPTIONAL MATCH (wrong)-[:ABOUT {primary: true}]->(subject:Entity)
OPTIONAL MATCH (chat:Chat {id: wrong.learned_in})
WITH wrong, coalesce(subject, chat) AS locked ORDER BY locked.id
SET locked.lock = $now
WITH collect(wrong) AS all
UNWIND all AS wrong
MATCH (wrong)-[:SUPERSEDES {outranks: false}]->(old:Memory)
WHERE old.retired_at = $no_end AND old.expires_at > $now AND old.ended_at < $no_end
  AND old.valid_until = CASE WHEN old.valid_from > wrong.valid_from THEN old.valid_from ELSE wrong.valid_from END
  AND NOT EXISTS {
    MATCH (other:Memory)-[:SUPERSEDES {outranks: false}]->(old) WHERE other.retired_at = $no_end
  }
RETURN DISTINCT old.id AS id, wrong.valid_until AS valid_until
