// Archives the memory `m`: from now on only the archive finds it (T7, R12). It loses its live key, since somebody may
// state it anew meanwhile.
// expects: m
// params: $active, $archived, $moment
SET m:Archived, m.status = 'archived', m.archived_at = $moment,
    m.facets = [facet IN m.facets WHERE facet <> $active] + $archived
REMOVE m.live_key
WITH m
// include: copy_to_about
