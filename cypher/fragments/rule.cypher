// Filters the memories `m` to those that the viewer may see from their viewpoint, at the two times of the read (P1, P2,
// P7, M14). Statements include the fragment `visible`, which applies this also to the sources of a summary and to what
// outranks hearsay. Only `fact/known` asks this rule alone as well.
// expects: m, viewpoint (one of the fragments viewpoint_*)
// params: $viewer, $as_of, $known_at, $now, $legacy_disclosable
WITH * WHERE m.created_at <= coalesce(viewpoint.known_at, $known_at)
  AND m.retired_at > coalesce(viewpoint.known_at, $known_at) AND m.expires_at > coalesce(viewpoint.known_at, $known_at)
  AND m.valid_from <= coalesce(viewpoint.as_of, $as_of)
  AND (m.valid_until > coalesce(viewpoint.as_of, $as_of) OR m.ended_at > coalesce(viewpoint.known_at, $known_at))
  AND (viewpoint.every_persona OR m.persona_id IN ['', viewpoint.persona])
  AND m.status = coalesce(viewpoint.status, 'active')
CALL (m, viewpoint) {
  WITH m, viewpoint, COLLECT { MATCH (m)-[:ABOUT]->(p:Person) RETURN p.id } AS about
  // A summary counts as about the viewer: `visible` shows it only to those who may see all its sources.
  WITH *, CASE WHEN m:Summary THEN [$viewer] WHEN size(about) > 0 THEN about
               WHEN m.owner_id <> '' THEN [m.owner_id] ELSE [m.speaker_id] END AS subjects
  // Reached in a group: its own memories, the viewer's, and those about somebody that are portable or learned here.
  WITH *, $viewer IN subjects AS mine, viewpoint.group IN [m.learned_in, m.chat_id] AS here,
       m.space_id IN ['', viewpoint.space] AS in_space_here,
       viewpoint.every_space OR m.space_id IN ['', viewpoint.within] AS in_space_alone,
       m.owner_id = $viewer OR m.chat_id = viewpoint.group OR size(about) > 0 AND (m.portable OR m.learned_in = viewpoint.group)
         AS reached_in_group,
       m.owner_id = $viewer OR size(about) > 0 AND (m.portable OR m.learned_in = viewpoint.private) AS reached_alone
  RETURN coalesce(
    viewpoint.group IS NOT NULL AND in_space_here AND reached_in_group AND
    // A confided memory is only for its owner, its speaker and those who took part when it was said.
    (m.confided IS NULL OR $viewer IN [m.owner_id, m.speaker_id] OR EXISTS {
      MATCH (:Person {id: $viewer})-[present:PARTICIPATES_IN]->(:Chat {id: m.learned_in})
      WHERE present.since <= m.valid_from AND present.until > m.valid_from
    }) AND CASE
      WHEN m.sensitivity = 'public' THEN true
      WHEN m.sensitivity = 'personal' AND mine THEN true
      ELSE here AND EXISTS {
        MATCH (subject:Person)-[part:PARTICIPATES_IN]->(:Chat {id: viewpoint.group})
        WHERE subject.id IN subjects AND part.since <= $now AND part.until > $now
      }
    END, false)
  OR coalesce(
    viewpoint.alone AND in_space_alone AND reached_alone AND CASE m.sensitivity
      WHEN 'sensitive' THEN mine
      ELSE (m.sensitivity = 'public' OR mine OR m.owner_id = $viewer) AND CASE
        // Disclosable: it is about the viewer or about nobody, or they said it or took part when it was said.
        WHEN $viewer IN about OR m.speaker_id = $viewer OR size(about) = 0 THEN true
        WHEN m.learned_in = '' THEN $legacy_disclosable AND m.source = 'migration'
        ELSE EXISTS {
          MATCH (:Person {id: $viewer})-[part:PARTICIPATES_IN]->(:Chat {id: m.learned_in})
          WHERE part.since <= m.learned_at AND part.until > m.learned_at
        }
      END
    END, false) AS may_see
}
WITH * WHERE may_see
