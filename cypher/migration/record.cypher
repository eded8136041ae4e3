// Records an applied migration after the one before it (the format of neo4j-migrations).
// params: $version, $description, $source, $checksum, $before, $at, $took_ms, $by
// returns: -
// mode: write
MERGE (last:__Neo4jMigration {version: $before})
MERGE (m:__Neo4jMigration {version: $version})
ON CREATE SET m.description = $description, m.source = $source, m.type = 'CYPHER', m.checksum = $checksum
MERGE (last)-[applied:MIGRATED_TO]->(m)
ON CREATE SET applied.at = $at, applied.in = duration({milliseconds: $took_ms}), applied.by = $by,
              applied.connectedAs = $by
