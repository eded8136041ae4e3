// Renames a space that the viewer may use. `taken` says that another space of the same owner or group has the name;
// then nothing changes.
// params: $id, $name, $name_word
// returns: taken, renamed
// mode: write

// include: my_chats
MATCH (s:Space {id: $id})
// include: my_space
MERGE (l:Lock {name: 'spaces ' + s.scope})
SET l.at = $now
WITH s, EXISTS { MATCH (other:Space {name_key: s.scope + '|' + $name_word}) WHERE other.id <> s.id } AS taken
SET s.name = CASE WHEN taken THEN s.name ELSE $name END,
    s.name_key = CASE WHEN taken THEN s.name_key ELSE s.scope + '|' + $name_word END
RETURN taken,
  // include: as_space
AS renamed
