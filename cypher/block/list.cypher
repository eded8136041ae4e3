// The viewer's blocks for a persona, or those named `$name`, sorted by name. Within a space these are its blocks and
// those of no space, unless the space has one of the same name (P7). For a context in a group, only blocks marked for
// groups are returned (P6).
// params: $name, $for_context
// returns: block
// mode: read

// include: viewpoint_of_request
MATCH (b:Block) USING INDEX SEEK b:Block(person_id, persona_id, name)
WHERE b.person_id = $viewer AND b.persona_id = viewpoint.persona AND b.name IS NOT NULL
  AND ($name IS NULL OR b.name = $name) AND b.key IS NOT NULL
  AND (NOT $for_context OR viewpoint.alone OR coalesce(b.for_groups, false))
  AND (viewpoint.every_space OR coalesce(b.space_id, '') IN ['', viewpoint.within])
WITH viewpoint, b ORDER BY coalesce(b.space_id, '') DESC
WITH viewpoint, b.name AS of_name, collect(b) AS named
UNWIND CASE WHEN viewpoint.every_space THEN reverse(named) ELSE named[..1] END AS b
WITH b, of_name, coalesce(b.space_id, '') AS of_space ORDER BY of_name, of_space
RETURN b {.*} AS block
