// Whether all sources of a summary that is being made are still believed: none was retired or erased since it was read.
// An expression.
// params: $sources, $no_end
COUNT { MATCH (m:Memory) WHERE m.id IN $sources AND m.retired_at = $no_end } = size($sources)
