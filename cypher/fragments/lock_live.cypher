// Takes the lock of the memory `m` and looks once more: who had to wait for a writer that retired it, or told it anew
// under another id, gets no row, as if they had come later.
// expects: m, allowed
// params: $now, $no_end
SET m.lock = CASE WHEN allowed THEN $now ELSE m.lock END
WITH *
MATCH (again:Memory {id: m.id}) WHERE again.retired_at = $no_end
