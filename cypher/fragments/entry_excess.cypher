// The scopes (owners and chats) that hold more than `$most_entries` memories, turns and summaries not counted, and by
// how many (`excess`) (T7). There are none if the limit is null.
// params: $most_entries, $moment, $no_end
MATCH (m:Memory)
WHERE $most_entries IS NOT NULL AND m.retired_at = $no_end AND m.expires_at > $moment AND m.status = 'active'
  AND NOT m:Episodic AND NOT m:Summary
WITH m.scope AS scope, count(m) - $most_entries AS excess WHERE excess > 0
