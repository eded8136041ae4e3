// What type a thing has is settled over all its mentions: each says of what type its names were taken to be, and how sure that
// was. Those of before are for the type that the thing has.
MATCH (:Memory)-[mention:MENTIONS]->(e) WHERE mention.types IS NULL
CALL (mention, e) {
  SET mention.types = [name IN mention.names | coalesce(e.type, 'concept')], mention.certainties = [name IN mention.names | 1.0]
} IN TRANSACTIONS OF 10000 ROWS;
