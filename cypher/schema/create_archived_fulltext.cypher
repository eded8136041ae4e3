// Creates the full-text index over archived memories.
// params: options
// returns: -
// mode: write
CREATE FULLTEXT INDEX archived_fulltext IF NOT EXISTS
FOR (m:Archived) ON EACH [m.content, m.heading, m.tags, m.scopes, m.facets, m.event_day]
OPTIONS $options
