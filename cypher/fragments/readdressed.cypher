// Readdresses the memories `m` from one entity to another: in their keys if it is their primary subject (`of_it`), in
// their index terms if they are about it (`about_it`), and as their speaker if it stated them (`stated`). Collects
// those that were live as `live`; their live keys are removed.
// expects: m, of_it, about_it, stated
// params: $old_id, $new_id, $old_prefix, $new_prefix, $old_about, $new_about, $old_speaker, $new_speaker
WITH m, of_it, about_it, stated, m.live_key IS NOT NULL AS live
SET m.claim_key = CASE WHEN of_it AND m.claim_key STARTS WITH $old_prefix
                       THEN $new_prefix + substring(m.claim_key, size($old_prefix)) ELSE m.claim_key END,
    m.facets = [facet IN m.facets WHERE NOT (about_it AND facet = $old_about AND $new_about IS NULL) |
                CASE WHEN about_it AND facet = $old_about THEN $new_about
                     WHEN stated AND facet = $old_speaker THEN $new_speaker
                     ELSE facet END]
             + CASE WHEN about_it AND $old_about IS NULL AND $new_about IS NOT NULL THEN [$new_about] ELSE [] END
// Indexed properties are set only where they change, since setting one rewrites an entry of the vector index.
FOREACH (said IN CASE WHEN stated THEN [m] ELSE [] END |
  SET said.authority = CASE said.authority WHEN $old_id THEN $new_id ELSE said.authority END, said.speaker_id = $new_id
)
// include: memory_keyed
REMOVE m.live_key
WITH collect(CASE WHEN live THEN m END) AS live
