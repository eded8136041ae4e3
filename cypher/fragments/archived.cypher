// Archives the memory `m`: only the archive finds it from now on (T7, R12). Somebody may tell it anew meanwhile, so it holds
// no live key.
// expects: m
// params: $active, $archived, $moment
SET m:Archived, m.status = 'archived', m.archived_at = $moment,
    m.facets = [facet IN m.facets WHERE facet <> $active] + $archived
REMOVE m.live_key
WITH m
// include: copy_to_about
