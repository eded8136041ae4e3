// Sessions whose turns do not form one chain: not exactly one first turn, a turn with two successors or predecessors,
// or another number of turns than the session's `turn_count`.
// params: -
// returns: found, examples
// mode: read
MATCH (s:Session)
CALL (s) {
  MATCH (m:Episodic)-[:IN_SESSION]->(s)
  WITH m, count { (m)<-[:TEMPORAL]-()-[:IN_SESSION]->(s) } AS before, count { (m)-[:TEMPORAL]->()-[:IN_SESSION]->(s) } AS after
  RETURN count(m) AS turns, sum(CASE WHEN before = 0 THEN 1 ELSE 0 END) AS heads,
         max(after) AS most_after, max(before) AS most_before
}
WITH s WHERE turns <> s.turn_count OR turns > 0 AND heads <> 1 OR most_after > 1 OR most_before > 1
RETURN count(s) AS found, collect(s.id)[..5] AS examples
