// Renames a person (`$name`; the former name becomes an alias) or adds an alias (`$alias`). The person, whoever created
// them, and `$by_right` may (P4). `$vouched` are the tokens of the name for which the credential vouches, if the person
// takes part in one of the chats `$vouches_in` (`*`: always; P6). A person with new names is queued to compute their
// sounds.
// params: $id, $name, $called, $alias, $name_token, $vouched, $vouches_in, $viewer, $by_right, $most, $now
// returns: person, allowed, full
// mode: write
MATCH (p:Person {id: $id})
SET p.lock = $now
WITH p, $by_right OR p.id = $viewer OR coalesce(p.created_by = $viewer, false) AS allowed
WITH p, allowed, coalesce($name, p.canonical_name) AS name,
     CASE WHEN $name IS NULL THEN $alias WHEN $name <> p.canonical_name THEN p.canonical_name END AS more
WITH p, allowed, name, [alias IN p.aliases WHERE alias <> name]
     + CASE WHEN more IS NULL OR more = name OR more IN p.aliases THEN [] ELSE [more] END AS aliases
WITH *, size(aliases) > $most AS full
FOREACH (e IN CASE WHEN allowed AND NOT full AND (name <> p.canonical_name OR aliases <> p.aliases) THEN [p] ELSE [] END |
  SET e.canonical_name = name, e.aliases = aliases, e.called = coalesce($called, e.called),
      e.names = e.names + [new IN [$name_token] WHERE NOT new IN e.names],
      e.given_names = coalesce(e.given_names, [])
        + [new IN [coalesce($name, $alias)] WHERE NOT new IN coalesce(e.given_names, [])],
      e.last_updated = $now
  // include: queued(node=e, job='enrich', due_at=$now)
)
FOREACH (e IN CASE WHEN allowed AND NOT full AND ('*' IN $vouches_in OR EXISTS {
    MATCH (p)-[part:PARTICIPATES_IN]->(c:Chat) WHERE c.id IN $vouches_in AND part.since <= $now AND part.until > $now
  }) THEN [p] ELSE [] END |
  SET e.vouched = coalesce(e.vouched, []) + [new IN $vouched WHERE NOT new IN coalesce(e.vouched, [])]
)
RETURN p {.*} AS person, allowed, full
