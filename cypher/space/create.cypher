// Creates a space of the viewer, or of a group (`$chat`) in which they take part; or returns the existing one of this
// name there. Returns no row if they take no part in such a group. `made` is null if there are `$most` already.
// params: $id, $name, $name_word, $chat, $facets, $most
// returns: made
// mode: write

// include: my_chats
WITH my_groups WHERE $chat = '' OR $chat IN my_groups
WITH CASE $chat WHEN '' THEN $viewer ELSE $chat END AS scope
MERGE (l:Lock {name: 'spaces ' + scope})
SET l.at = $now
WITH scope, COUNT { MATCH (other:Space {scope: scope}) RETURN other } < $most AS room
OPTIONAL MATCH (there:Space {name_key: scope + '|' + $name_word})
FOREACH (new IN CASE WHEN there IS NULL AND room THEN [scope] ELSE [] END |
  CREATE (:Space {id: $id, name: $name, name_key: new + '|' + $name_word, scope: new, chat_id: $chat,
                  owner_id: CASE $chat WHEN '' THEN $viewer ELSE '' END, facets: $facets, created_at: $now})
)
WITH scope
OPTIONAL MATCH (s:Space {name_key: scope + '|' + $name_word})
RETURN
  // include: as_space
AS made
