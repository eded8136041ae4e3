// Memories that a person owns or stated, retired ones too; with `$everything` also those of others about them or naming
// them, except those told in confidence. In the order of their ids after a position.
// params: $ids, $everything, $after, $limit
// returns: memory
// mode: read
CALL () {
  MATCH (owned:Memory) USING INDEX SEEK owned:Memory(scope, event_time, id)
  WHERE owned.scope IN $ids AND owned.event_time IS NOT NULL AND owned.id IS NOT NULL
  RETURN owned AS m
UNION
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})<-[link:STATED_BY|ABOUT|MENTIONS]-(m:Memory) WHERE $everything OR link:STATED_BY
  RETURN m
}
WITH DISTINCT m WHERE m.id > $after AND (m.scope IN $ids OR m.speaker_id IN $ids OR m.confided IS NULL)
WITH m ORDER BY m.id LIMIT $limit
// include: exported(named=true)
