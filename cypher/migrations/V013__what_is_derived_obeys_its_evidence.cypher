// Marks that follow from evidence, and what was told of the future.

// How private what was found in a turn is at least: what was said in private is personal (W3).
MATCH (m:Memory)-[from:DERIVED_FROM]->(turn:Memory) WHERE from.least_sensitivity IS NULL
CALL (m, from, turn) {
  OPTIONAL MATCH (c:Chat {id: turn.learned_in})
  SET from.least_sensitivity =
    CASE WHEN m.source IN ['extraction', 'consolidation'] AND c.kind = 'private' THEN 'personal' ELSE 'public' END
} IN TRANSACTIONS OF 1000 ROWS;
// A mark that is neither a guess nor what every memory has was said by somebody: it stays.
MATCH (m:Memory) WHERE m.explicit_marks IS NULL
  AND (m.sensitivity <> 'public' AND NOT 'sensitivity' IN m.guessed OR NOT m.portable AND NOT 'portable' IN m.guessed)
CALL (m) {
  SET m.explicit_marks =
    CASE WHEN m.sensitivity <> 'public' AND NOT 'sensitivity' IN m.guessed THEN ['sensitivity'] ELSE [] END
    + CASE WHEN NOT m.portable AND NOT 'portable' IN m.guessed THEN ['portable'] ELSE [] END
} IN TRANSACTIONS OF 1000 ROWS;
// How private its own words sound: what was guessed of them.
MATCH (m:Memory) WHERE m.source IN ['extraction', 'consolidation'] AND m.own_sensitivity IS NULL
CALL (m) {
  SET m.own_sensitivity = CASE WHEN 'sensitivity' IN m.guessed THEN m.sensitivity ELSE 'public' END,
      m.own_portable = NOT 'portable' IN m.guessed
} IN TRANSACTIONS OF 1000 ROWS;
// As private as the least private of the evidence that stands; where none does, of all that there was (M15). The words of
// the full-text index are those of `graph.ids.token` for public, personal and sensitive.
MATCH (m:Memory)-[from:DERIVED_FROM]->(turn:Memory)
WHERE m.own_sensitivity IS NOT NULL AND NOT 'sensitivity' IN coalesce(m.explicit_marks, [])
WITH m, turn.retired_at.year = 9999 AS stands, [turn.sensitivity, from.least_sensitivity] AS asked
WITH m, stands,
     CASE WHEN 'sensitive' IN asked THEN 'sensitive' WHEN 'personal' IN asked THEN 'personal' ELSE 'public' END AS asked
WITH m, collect(asked) AS ever, collect(CASE WHEN stands THEN asked END) AS standing
WITH m, CASE WHEN size(standing) > 0 THEN standing ELSE ever END AS asked
WITH m, [m.own_sensitivity,
         CASE WHEN 'public' IN asked THEN 'public' WHEN 'personal' IN asked THEN 'personal' ELSE 'sensitive' END] AS asked
WITH m, CASE WHEN 'sensitive' IN asked THEN 'sensitive' WHEN 'personal' IN asked THEN 'personal' ELSE 'public' END
        AS sensitivity
WHERE sensitivity <> m.sensitivity
CALL (m, sensitivity) {
  SET m.sensitivity = sensitivity,
      m.guessed = [mark IN m.guessed WHERE mark <> 'sensitivity'] + 'sensitivity',
      m.facets = [facet IN m.facets WHERE NOT facet IN
          ['3d3e75ab8be9d6da89a6fabcfc6f63d2', 'ebfd5544dfb6dd4ba23e95945f204993', '375881a0e697d196f981d12e35f004c2']]
        + CASE sensitivity WHEN 'sensitive' THEN '375881a0e697d196f981d12e35f004c2'
                           WHEN 'personal' THEN 'ebfd5544dfb6dd4ba23e95945f204993'
                           ELSE '3d3e75ab8be9d6da89a6fabcfc6f63d2' END
  WITH m
  MATCH (m)-[r:ABOUT]->(:Person)
  SET r.sensitivity = m.sensitivity
} IN TRANSACTIONS OF 1000 ROWS;
// What was told of the future is believed from when it was told; what changes a state takes effect on its day (M14).
MATCH (m:Memory) WHERE m.kind IN ['event', 'task'] AND m.valid_from = m.event_time AND m.valid_from > m.created_at
CALL (m) {
  SET m.takes_effect_at = CASE WHEN NOT m.claim_key CONTAINS '|=' THEN m.valid_from END, m.valid_from = m.created_at
  WITH m
  MATCH (m)-[r:ABOUT]->(:Person)
  SET r.valid_from = m.valid_from
} IN TRANSACTIONS OF 1000 ROWS;
