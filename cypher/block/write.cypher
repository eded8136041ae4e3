// Writes a block of the viewer, of a space or of none (`''`, P7): a new one, or a new version, in which case the old
// text is kept as a version. The caller holds the lock.
// params: $viewer, $persona, $space, $key, $id, $name, $content, $description, $for_groups, $version_id, $now
// returns: block
// mode: write
MATCH (p:Person {id: $viewer})
MERGE (b:Block {key: $key})
ON CREATE SET b.id = $id, b.person_id = $viewer, b.persona_id = $persona, b.space_id = $space, b.name = $name, b.version = 0,
              b.created_at = $now
FOREACH (before IN CASE WHEN b.version = 0 THEN [] ELSE [b] END |
  CREATE (before)-[:HAS_VERSION {created_at: $now}]->
         (:Version {id: $version_id, version: before.version, content: before.content, description: before.description,
                         changed_at: $now})
)
MERGE (b)-[of:OF]->(p)
ON CREATE SET of.created_at = $now
SET b.content = $content, b.description = $description, b.for_groups = $for_groups, b.version = b.version + 1, b.updated_at = $now
RETURN b {.*} AS block
