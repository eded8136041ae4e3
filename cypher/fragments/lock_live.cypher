// Locks the memory `m`, if `allowed`, and reads it again. There is no row if another writer retired it, or stored it
// under another id, while this one waited for the lock: as if this one had come later.
// expects: m, allowed
// params: $now, $no_end
SET m.lock = CASE WHEN allowed THEN $now ELSE m.lock END
WITH *
MATCH (again:Memory {id: m.id}) WHERE again.retired_at = $no_end
