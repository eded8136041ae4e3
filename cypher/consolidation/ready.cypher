// Which of the claimed sessions can be consolidated. One that is to be read whole waits until the names in all its turns
// were found: it goes back on the queue, due `$later`. Of the others at most `$limit` are kept.
// params: $ids, $worker, $now, $later, $limit, $no_end
// returns: id
// mode: write
UNWIND $ids AS id
MATCH (s:Session {id: id}) WHERE s.worker = $worker
WITH s, (s.ended_at = $no_end AND s.asked IS NULL) OR NOT EXISTS {
  MATCH (turn:Pending {session_id: s.id})
} AS ready
WITH collect(CASE WHEN ready THEN s END) AS able, collect(CASE WHEN NOT ready THEN s END) AS waiting
FOREACH (s IN waiting | SET s.due_at = $later)
FOREACH (s IN able[$limit..] | SET s.due_at = $now)
FOREACH (s IN waiting + able[$limit..] |
  SET s.attempts = s.attempts - 1
  REMOVE s.worker
)
WITH able[..$limit] AS able
UNWIND able AS s
RETURN s.id AS id
