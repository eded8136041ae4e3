// The memories nearest to a query vector, best first. Each row of `$ranges` is one search inside the index: one
// scope, and bounds that the filters fill or leave wide open. The index answers from quantised vectors, so more
// than wanted are taken and ordered again by the exact cosine. `asked` counts what the index gave in its fullest
// search: fewer than the limit means that there is no more.
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
    )
    RETURN collect(near) AS given
  }
  RETURN collect(given) AS answers
}
CALL (answers, place) {
  UNWIND answers AS answer
  UNWIND answer AS each
  WITH DISTINCT each AS m, place
  // include: visible
  // include: matching
  WITH m, vector.similarity.cosine(m.embedding_$$slot, $vector) AS score
  // include: candidates
}
RETURN reduce(most = 0, answer IN answers | CASE WHEN size(answer) > most THEN size(answer) ELSE most END) AS asked,
       found
