// Writes the vectors, the emotion and the mentions of memories that the worker still holds, and takes the memories off
// the queue. The emotion determines how long a memory lasts that was never recalled (T1).
// params: $rows, $worker, $model, $now
// returns: id
// mode: write
// slots: a, b
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
WITH m, row ORDER BY m.id
// Locked first, to see whether it was reworded meanwhile.
SET m.lock = $now
WITH m, row WHERE m.worker = $worker
// A vector in the other slot may be of an earlier wording, so it counts as missing.
SET m.embedding_model_a = null, m.embedding_model_b = null, m.embedding_tokens_a = null, m.embedding_tokens_b = null
SET m.embedding_$$slot = row.vector, m.embedding_model_$$slot = CASE WHEN row.vector IS NULL THEN null ELSE $model END,
    m.embedding_tokens_$$slot = row.tokens,
    m.stability = CASE WHEN m.emotion_intensity IS NULL AND m.recalled_at IS NULL AND (m.owner_id <> '' OR m.access_count = 0)
                       THEN row.stability ELSE m.stability END,
    m.emotion_intensity = coalesce(m.emotion_intensity, row.emotion)
REMOVE m:Pending, m.job, m.due_at, m.worker, m.attempts, m.failure
// include: parts_deleted
// include: write_parts
WITH collect(m) AS memories, collect({memory: m, names: row.names}) AS done
// All workers lock entities in the same order, to avoid deadlocks: known ones in the order of their ids, then new ones in
// that of their names. A name that creates an entity comes before other names for it.
CALL (done) {
  UNWIND done AS each
  UNWIND each.names AS name
  WITH DISTINCT name.known[0] AS id ORDER BY id
  MATCH (known:Entity {id: id})
  SET known.lock = $now
}
CALL (done) {
  UNWIND done AS each
  UNWIND each.names AS name
  WITH each.memory AS m, name ORDER BY name.type, name.place, name.follows
  // include: named
  // Locked first, to see whether it was merged meanwhile.
  SET entity.lock = $now
  WITH m, name, entity
  MATCH (entity)-[:MERGED_INTO]->*(meant:Entity)
  // Dated no earlier than the merges into the entity: `$now` was read before the wait for the lock.
  WITH m, name, name.token AS token, meant,
       reduce(latest = $now, merged IN [(meant)<-[record:MERGED_INTO]-() | record.created_at] |
              CASE WHEN merged > latest THEN merged ELSE latest END) AS created_at
  MERGE (m)-[mention:MENTIONS]->(meant)
  ON CREATE SET mention.names = [], mention.texts = [], mention.types = [], mention.certainties = [],
                mention.created_at = created_at
  WITH mention, name, token WHERE NOT token IN mention.names
  SET mention.names = mention.names + token, mention.texts = mention.texts + name.text,
      mention.types = mention.types + name.vote, mention.certainties = mention.certainties + name.certainty
}
UNWIND memories AS m
// include: copy_to_about
RETURN m.id AS id
