// Values of people's states that belong to nobody, lack a property, or begin while another of the same `line` holds.
// params: $now
// returns: found, examples
// mode: read
MATCH (s:UserState)
WHERE NOT EXISTS { (s)-[:OF]->(:Person {id: s.person_id}) }
  OR NOT (s.line IS :: STRING NOT NULL AND s.key IS :: STRING NOT NULL AND s.value IS :: STRING NOT NULL
    AND s.valid_from IS :: ZONED DATETIME NOT NULL AND s.valid_until IS :: ZONED DATETIME NOT NULL
    AND s.created_at IS :: ZONED DATETIME NOT NULL AND s.ended_at IS :: ZONED DATETIME NOT NULL
    AND s.retired_at IS :: ZONED DATETIME NOT NULL)
  OR s.retired_at > $now AND EXISTS {
    MATCH (other:UserState)
    WHERE other.line = s.line AND other.id <> s.id AND other.retired_at > $now
      AND other.valid_from <= s.valid_from AND s.valid_from < other.valid_until
  }
RETURN count(s) AS found, collect(s.id)[..5] AS examples
