// How a memory was used ranks it for its owner alone (T5). What was recalled of one's own begins the list of its recalls:
// by whom it was is not known. What is a group's has no owner: its score, which anybody of the group could move, is gone.
MATCH (m:Memory) WHERE m.owner_id <> '' AND m.access_count > 0 AND m.recalled_at IS NULL
CALL (m) {
  SET m.recalled_at = [coalesce(m.last_accessed_at, m.created_at)], m.stabilities = [m.stability]
} IN TRANSACTIONS OF 1000 ROWS;
MATCH (m:Memory) WHERE m.owner_id = '' AND m.score <> 0
CALL (m) {
  SET m.score = 0, m.last_hit_at = m.created_at
} IN TRANSACTIONS OF 1000 ROWS;
// What others recalled together leads no search of mine (T6).
MATCH (one:Memory)-[link:CO_RECALLED]->(other:Memory) WHERE one.owner_id <> other.owner_id OR one.owner_id = ''
CALL (link) {
  DELETE link
} IN TRANSACTIONS OF 1000 ROWS;
// What of an owner or a group waits is counted for them, and bounded (P6).
CREATE INDEX pending_scope IF NOT EXISTS FOR (item:Pending) ON (item.scope);
