// The blocks of the viewer with a persona, or the one of a name, by name; for a context in a group those alone that are
// marked for groups (P6).
// params: $name, $for_context
// returns: block
// mode: read

// include: viewpoint_of_request
MATCH (b:Block) USING INDEX b:Block(person_id, persona_id, name)
WHERE b.person_id = $viewer AND b.persona_id = viewpoint.persona AND b.name IS NOT NULL
  AND ($name IS NULL OR b.name = $name) AND b.key IS NOT NULL
  AND (NOT $for_context OR viewpoint.alone OR coalesce(b.for_groups, false))
RETURN b {.*} AS block ORDER BY b.name
