// Stores which entities facts mention in the slot of a frame that determines the entity's type. It counts as two
// certain mentions of that type.
// params: $rows, $now
// returns: -
// mode: write
UNWIND $rows AS row
MATCH (m:Memory {id: row.memory})
MATCH (e:Entity {id: row.entity})
MERGE (m)-[mention:MENTIONS]->(e)
ON CREATE SET mention.names = [row.token], mention.texts = [row.text], mention.types = [row.type],
              mention.certainties = [2.0], mention.created_at = $now
