// Memories that lack a mandatory property or have one of a wrong type, which Neo4j Community cannot constrain; or with
// not exactly one of owner and chat.
// params: -
// returns: found, examples
// mode: read
MATCH (m:Memory)
WHERE NOT (m.id IS :: STRING NOT NULL AND m.content IS :: STRING NOT NULL AND m.type IS :: STRING NOT NULL
  AND m.scope IS :: STRING NOT NULL AND m.owner_id IS :: STRING NOT NULL AND m.chat_id IS :: STRING NOT NULL
  AND m.learned_in IS :: STRING NOT NULL AND m.persona_id IS :: STRING NOT NULL AND m.space_id IS :: STRING NOT NULL
  AND m.speaker_id IS :: STRING NOT NULL AND m.session_id IS :: STRING NOT NULL
  AND m.kind IS :: STRING NOT NULL AND m.category IS :: STRING NOT NULL AND m.source IS :: STRING NOT NULL
  AND m.narrative_id IS :: STRING NOT NULL AND m.task_id IS :: STRING NOT NULL
  AND m.status IS :: STRING NOT NULL AND m.sensitivity IS :: STRING NOT NULL
  AND m.portable IS :: BOOLEAN NOT NULL AND m.confidence IS :: FLOAT NOT NULL
  AND m.importance IS :: INTEGER NOT NULL
  AND m.created_at IS :: ZONED DATETIME NOT NULL AND m.learned_at IS :: ZONED DATETIME NOT NULL AND m.event_time IS :: ZONED DATETIME NOT NULL
  AND m.event_until IS :: ZONED DATETIME NOT NULL AND m.event_precision IS :: STRING NOT NULL
  AND m.valid_from IS :: ZONED DATETIME NOT NULL AND m.valid_until IS :: ZONED DATETIME NOT NULL
  AND m.ended_at IS :: ZONED DATETIME NOT NULL AND m.retired_at IS :: ZONED DATETIME NOT NULL
  AND m.expires_at IS :: ZONED DATETIME NOT NULL
  AND m.scopes = [m.scope] AND m.facets IS NOT NULL AND m.event_day IS NOT NULL
  AND (m.owner_id = '') <> (m.chat_id = ''))
RETURN count(m) AS found, collect(m.id)[..5] AS examples
