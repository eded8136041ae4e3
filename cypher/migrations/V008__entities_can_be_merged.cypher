// What an entity was before it was merged into another stays as a tombstone: its id and key are not given again.
CREATE CONSTRAINT merged_id IF NOT EXISTS FOR (t:Merged) REQUIRE t.id IS UNIQUE;
CREATE CONSTRAINT merged_key IF NOT EXISTS FOR (t:Merged) REQUIRE t.key IS UNIQUE;
CREATE CONSTRAINT merge_id IF NOT EXISTS FOR ()-[r:MERGED_INTO]-() REQUIRE r.id IS UNIQUE;
