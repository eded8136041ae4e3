// The memories nearest to a query vector, best first. Each row of `$ranges` is one search inside the index: one
// scope, and bounds that the filters fill or leave wide open. The index answers from quantised vectors, so more
// than wanted are taken and ordered again by the exact cosine. `asked` counts what the index gave: fewer than the
// limit means that there is no more.
// params: $viewer, $vector, $ranges, $limit, $known_at, $as_of, $after, $before
// returns: asked, found
// mode: read
// slots: a, b

// include: here
CALL (place) {
  UNWIND $ranges AS x
  WITH x WHERE place.takes_part OR x.scope = $viewer
  CALL (x) {
    MATCH (near:Memory)
    SEARCH near IN (
      VECTOR INDEX memory_vector_$$slot FOR $vector
      WHERE near.scope = x.scope
        AND near.created_at <= $known_at AND near.retired_at > $known_at AND near.expires_at > $known_at
        AND near.valid_from <= $as_of AND near.valid_until > x.valid_after AND near.ended_at > x.ended_after
        AND near.event_time >= $after AND near.event_time < $before
        AND near.persona_id >= x.persona_from AND near.persona_id <= x.persona_to
        AND near.type >= x.type_from AND near.type <= x.type_to
        AND near.kind >= x.kind_from AND near.kind <= x.kind_to
        AND near.category >= x.category_from AND near.category <= x.category_to
        AND near.source >= x.source_from AND near.source <= x.source_to
        AND near.session_id >= x.session_from AND near.session_id <= x.session_to
        AND near.speaker_id >= x.speaker_from AND near.speaker_id <= x.speaker_to
        AND near.narrative_id >= x.narrative_from AND near.narrative_id <= x.narrative_to
        AND near.task_id >= x.task_from AND near.task_id <= x.task_to
        AND near.status >= x.status_from AND near.status <= x.status_to
        AND near.sensitivity >= x.sensitivity_from AND near.sensitivity <= x.sensitivity_to
      LIMIT $limit
    ) SCORE AS nearness
    RETURN near AS found_near, nearness
  }
  // One memory comes once, whichever search gave it; the rule looks at the nearest of all searches only.
  WITH found_near, max(nearness) AS nearness
  WITH collect({memory: found_near, nearness: nearness}) AS given
  RETURN size(given) AS asked, given
}
CALL (given, place) {
  UNWIND given AS each
  WITH each.memory AS m, each.nearness AS nearness, place ORDER BY nearness DESC LIMIT $limit
  // include: visible
  // include: matching
  WITH m, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine
  WITH m, cosine, cosine AS score
  // include: candidates
}
RETURN asked, found
