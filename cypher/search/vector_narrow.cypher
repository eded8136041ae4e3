// The memories nearest to a query vector, as `search/vector` finds them, narrowed to a session, a speaker, a narrative or
// a task too. A range over a property of very many values that is left wide open costs the index a walk through all of
// them, so this statement is for where one of these is closed.
// params: $vector, $ranges, $about, $concerned, $limit, $depth, $after, $before
// returns: more, found
// mode: read
// slots: a, b

// include: here
CALL () {
  UNWIND $ranges AS x
  CALL (x) {
    MATCH (near:Memory)
    SEARCH near IN (
      VECTOR INDEX memory_vector_$$slot FOR $vector
      WHERE near.scope = x.scope
        AND near.created_at <= $known_at AND near.retired_at > $known_at AND near.expires_at > $known_at
        AND near.valid_from <= $as_of AND near.valid_until > x.valid_after AND near.ended_at > x.ended_after
        AND near.event_time >= $after AND near.event_time < $before
        AND near.persona_id = x.persona
        AND near.learned_in >= x.learned_from AND near.learned_in <= x.learned_to
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
    RETURN collect({memory: near, nearness: nearness}) AS scoped
  }
  RETURN collect(scoped) AS in_scopes
}
CALL () {
  UNWIND $about AS y
  CALL (y) {
    MATCH ()-[edge:ABOUT]->()
    SEARCH edge IN (
      VECTOR INDEX about_vector_$$slot FOR $vector
      WHERE edge.person_id >= y.person_from AND edge.person_id <= y.person_to
        AND edge.chat_id >= y.chat_from AND edge.chat_id <= y.chat_to
        AND edge.portable >= y.portable_from AND edge.portable <= true
        AND edge.created_at <= $known_at AND edge.retired_at > $known_at AND edge.expires_at > $known_at
        AND edge.valid_from <= $as_of AND edge.valid_until > y.valid_after AND edge.ended_at > y.ended_after
        AND edge.event_time >= $after AND edge.event_time < $before
        AND edge.persona_id = y.persona
        AND edge.learned_in >= y.learned_from AND edge.learned_in <= y.learned_to
        AND edge.type >= y.type_from AND edge.type <= y.type_to
        AND edge.kind >= y.kind_from AND edge.kind <= y.kind_to
        AND edge.category >= y.category_from AND edge.category <= y.category_to
        AND edge.source >= y.source_from AND edge.source <= y.source_to
        AND edge.speaker_id >= y.speaker_from AND edge.speaker_id <= y.speaker_to
        AND edge.status >= y.status_from AND edge.status <= y.status_to
        AND edge.sensitivity >= y.sensitivity_from AND edge.sensitivity <= y.sensitivity_to
      LIMIT $limit
    ) SCORE AS closeness
    RETURN collect({memory: startNode(edge), nearness: closeness, person: edge.person_id}) AS told
  }
  RETURN collect([each IN told WHERE each.person IN $concerned]) AS about_people
}
WITH place, in_scopes + about_people AS lists
// include: nearest
