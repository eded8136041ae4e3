// Reinforces or demotes a memory, for whoever sees it. The score changes and ranks for the memory's owner alone (T5):
// for others nothing changes, and the returned score is 0. The latest ten scores are kept with their times, so that a
// read of an earlier time uses the score of that time.
// params: $id, $by, $hit, $no_end
// returns: allowed, counts, score
// mode: write

// include: seen_memory
WITH *, true AS allowed
// include: lock_live
CALL (m) {
  WITH m WHERE m.owner_id = $viewer
  SET m.scored_at = (coalesce(m.scored_at, [coalesce(m.last_hit_at, m.created_at)]) + $now)[-10..],
      m.scores = (coalesce(m.scores, [m.score]) + (m.score + $by))[-10..]
  SET m.score = m.score + $by, m.last_hit_at = CASE WHEN $hit THEN $now ELSE m.last_hit_at END
}
RETURN allowed, m.owner_id = $viewer AS counts, CASE WHEN m.owner_id = $viewer THEN m.score ELSE 0 END AS score
