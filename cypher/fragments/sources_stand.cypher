// Whether all memories that a summary is being made of are still believed: none was forgotten or erased since it was read.
// params: $sources, $no_end
COUNT { MATCH (m:Memory) WHERE m.id IN $sources AND m.retired_at = $no_end } = size($sources)
