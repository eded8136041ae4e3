// Who may see the memory `m` from where they stand, at the two times of the read (P1, P2, P7, M14): keeps those that the
// viewer may. The fragment `visible` is this and what stands in its viewpoint; statements include that one, but for `fact/known`, which asks the rule alone as
// well.
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
  // A summary concerns whoever looks: they may see all that it is made of, or not the summary.
  WITH *, CASE WHEN m:Summary THEN [$viewer] WHEN size(about) > 0 THEN about
               WHEN m.owner_id <> '' THEN [m.owner_id] ELSE [m.speaker_id] END AS subjects
  // In a group what is its own, what is the viewer's, and what is about somebody and portable or learned here.
  WITH *, $viewer IN subjects AS mine, viewpoint.group IN [m.learned_in, m.chat_id] AS here,
       m.space_id IN ['', viewpoint.space] AS in_space_here,
       viewpoint.every_space OR m.space_id IN ['', viewpoint.within] AS in_space_alone,
       m.owner_id = $viewer OR m.chat_id = viewpoint.group OR size(about) > 0 AND (m.portable OR m.learned_in = viewpoint.group)
         AS reached_in_group,
       m.owner_id = $viewer OR size(about) > 0 AND (m.portable OR m.learned_in = viewpoint.private) AS reached_alone
  RETURN coalesce(
    viewpoint.group IS NOT NULL AND in_space_here AND reached_in_group AND
    // What is to be kept from somebody stays among those who were there when it was said.
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
        // Disclosable: the viewer is meant, said it, or was there when it was said; or there is nobody to tell it of.
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
