// A text may name one by several names, of which one comes from who was merged into them.
MATCH ()-[mention:MENTIONS]->() WHERE mention.name IS NOT NULL
CALL (mention) {
  SET mention.names = [mention.name]
  REMOVE mention.name
} IN TRANSACTIONS OF 10000 ROWS;
