// Chats and memories may belong to a space of a person or a group (P7). What there is belongs to none. The vector indexes carry
// the space: they are declared anew at the start.
CREATE CONSTRAINT space_id IF NOT EXISTS FOR (s:Space) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT space_name IF NOT EXISTS FOR (s:Space) REQUIRE s.name_key IS UNIQUE;
CREATE INDEX space_scope IF NOT EXISTS FOR (s:Space) ON (s.scope);
CREATE INDEX chat_space IF NOT EXISTS FOR (c:Chat) ON (c.space_id);
CREATE INDEX chat_moving IF NOT EXISTS FOR (c:Chat) ON (c.moving_from);
CREATE INDEX memory_space IF NOT EXISTS FOR (m:Memory) ON (m.space_id, m.event_time, m.id);
DROP INDEX memory_vector_a IF EXISTS;
DROP INDEX memory_vector_b IF EXISTS;
DROP INDEX about_vector_a IF EXISTS;
DROP INDEX about_vector_b IF EXISTS;
MATCH (c:Chat) WHERE c.space_id IS NULL
CALL (c) { SET c.space_id = '' } IN TRANSACTIONS OF 1000 ROWS;
MATCH (m:Memory|Summary) WHERE m.space_id IS NULL
CALL (m) {
  SET m.space_id = ''
  WITH m
  MATCH (m)-[r:ABOUT]->(:Person)
  SET r.space_id = ''
} IN TRANSACTIONS OF 1000 ROWS;
MATCH (asked:EntityProfile|SummaryRequest) WHERE asked.space_id IS NULL
CALL (asked) { SET asked.space_id = '' } IN TRANSACTIONS OF 1000 ROWS;
