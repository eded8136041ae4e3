// Creates the full-text index over memories.
// params: options
// returns: -
// mode: write
CREATE FULLTEXT INDEX memory_fulltext IF NOT EXISTS
FOR (m:Memory) ON EACH [m.content, m.heading, m.tags, m.scopes, m.facets, m.event_day]
OPTIONS $options
