// Writes the vector, the emotion and the mentions of memories, and takes them off the queue: those that the worker
// still holds. By the emotion goes how long a memory lasts that was never recalled (T1).
// params: $rows, $worker, $model, $now
// returns: id
// mode: write
// slots: a, b
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
WITH m, row ORDER BY m.id
// Under its lock it is seen whether it was worded anew meanwhile.
SET m.lock = $now
WITH m, row WHERE m.worker = $worker
// A vector in the other slot is of other words.
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
// All workers take the locks of entities in the same order, so that none waits for another in a circle: of those that are
// known in that of their ids, then of new ones in that of their own names; an entity is there before what else it is called.
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
  // Under its lock it is seen whether it was merged away meanwhile.
  SET entity.lock = $now
  WITH m, name, entity
  MATCH (entity)-[:MERGED_INTO]->*(meant:Entity)
  // Not before the merge that it comes after, whatever the worker's clock said when it began to wait for the lock.
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
