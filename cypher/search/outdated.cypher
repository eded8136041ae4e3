// The turns among `$turns` that state something outdated: a fact extracted from them has ended since, or was corrected
// or forgotten, as known at the times of the read. The viewer could see that fact while it was believed. `holds` is the
// memory that holds in its place, if the viewer may see it. A fact that was only written anew with another end is
// judged by its new version. Of several facts of a turn, one with `holds` comes first, then the latest.
// params: $turns
// returns: turn, reason, since, holds
// mode: read

// include: viewpoint_of_request
UNWIND $turns AS id
MATCH (turn:Memory {id: id})<-[:DERIVED_FROM]-(m:Memory)
WITH viewpoint AS now_viewpoint, turn, m,
     CASE WHEN m.retired_at <= $known_at AND m.retired_by IN ['corrected', 'forgotten'] THEN m.retired_by
          WHEN m.retired_at > $known_at AND m.ended_at <= $known_at AND m.valid_until <= $as_of THEN 'ended' END AS reason
WHERE reason IS NOT NULL AND m.created_at <= $known_at AND NOT m:Summary
  AND NOT EXISTS {
    MATCH (turn)<-[:DERIVED_FROM]-(again:Memory)-[:SUPERSEDES]->(m)
    WHERE again.content = m.content AND again.created_at <= $known_at
  }
WITH *, now_viewpoint AS viewpoint
// include: as_it_was
// include: visible
WITH turn, m AS old, reason, now_viewpoint,
     CASE reason WHEN 'ended' THEN m.valid_until ELSE m.retired_at END AS since
CALL (old, now_viewpoint) {
  WITH old, now_viewpoint AS viewpoint
  MATCH (m:Memory)-[:SUPERSEDES*1..20]->(old)
  // include: visible
  WITH m ORDER BY m.created_at DESC, m.id LIMIT 1
  RETURN collect(m)[0] AS holds
}
WITH turn, reason, since, holds ORDER BY holds IS NULL, since DESC, reason, holds.id
WITH turn, collect({reason: reason, since: since, holds: holds})[0] AS found
RETURN turn.id AS turn, found.reason AS reason, found.since AS since, found.holds.id AS holds
