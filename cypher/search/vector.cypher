// The memories nearest to a query vector, best first. Each of `$rows` is one search inside an index, by its `shape`: of
// memories in a scope (`scope`, and `here` for what was learned in one chat), and of whom they are about (`person`, and
// of those only what was `learned` in one chat or `said` by one person; `told` is what others own and told in the chat,
// about whomever). What is bound is bound inside the index; what many values share is never left as a wide open range,
// which costs the index a walk through all of them. The rule decides on what comes out.
// params: $vector, $rows, $concerned, $limit, $depth, $after, $before
// returns: more, found
// mode: read
// slots: a, b

// include: here
CALL () {
  UNWIND [row IN $rows WHERE row.shape = 'scope'] AS x_scope
  CALL (x_scope) {
    MATCH (in_scope:Memory)
    SEARCH in_scope IN (
      VECTOR INDEX memory_vector_$$slot FOR $vector
      WHERE in_scope.scope = x_scope.scope
        AND in_scope.persona_id = x_scope.persona
        AND in_scope.created_at <= $known_at AND in_scope.retired_at > $known_at AND in_scope.expires_at > $known_at
        AND in_scope.valid_from <= $as_of AND in_scope.valid_until > x_scope.valid_after
        AND in_scope.ended_at > x_scope.ended_after
        AND in_scope.event_time >= $after AND in_scope.event_time < $before
        AND in_scope.type >= x_scope.type_from AND in_scope.type <= x_scope.type_to
        AND in_scope.kind >= x_scope.kind_from AND in_scope.kind <= x_scope.kind_to
        AND in_scope.category >= x_scope.category_from AND in_scope.category <= x_scope.category_to
        AND in_scope.source >= x_scope.source_from AND in_scope.source <= x_scope.source_to
        AND in_scope.status >= x_scope.status_from AND in_scope.status <= x_scope.status_to
        AND in_scope.sensitivity >= x_scope.sensitivity_from AND in_scope.sensitivity <= x_scope.sensitivity_to
      LIMIT $limit
    ) SCORE AS scope_nearness
    RETURN collect({memory: in_scope, nearness: scope_nearness}) AS scope_given
  }
  RETURN collect(scope_given) AS scope_lists
}
CALL () {
  UNWIND [row IN $rows WHERE row.shape = 'here'] AS x_here
  CALL (x_here) {
    MATCH (said_here:Memory)
    SEARCH said_here IN (
      VECTOR INDEX memory_vector_$$slot FOR $vector
      WHERE said_here.scope = x_here.scope AND said_here.learned_in = x_here.learned_from
        AND said_here.persona_id = x_here.persona
        AND said_here.created_at <= $known_at AND said_here.retired_at > $known_at AND said_here.expires_at > $known_at
        AND said_here.valid_from <= $as_of AND said_here.valid_until > x_here.valid_after
        AND said_here.ended_at > x_here.ended_after
        AND said_here.event_time >= $after AND said_here.event_time < $before
        AND said_here.type >= x_here.type_from AND said_here.type <= x_here.type_to
        AND said_here.kind >= x_here.kind_from AND said_here.kind <= x_here.kind_to
        AND said_here.category >= x_here.category_from AND said_here.category <= x_here.category_to
        AND said_here.source >= x_here.source_from AND said_here.source <= x_here.source_to
        AND said_here.status >= x_here.status_from AND said_here.status <= x_here.status_to
        AND said_here.sensitivity >= x_here.sensitivity_from AND said_here.sensitivity <= x_here.sensitivity_to
      LIMIT $limit
    ) SCORE AS here_nearness
    RETURN collect({memory: said_here, nearness: here_nearness}) AS here_given
  }
  RETURN collect(here_given) AS here_lists
}
CALL () {
  UNWIND [row IN $rows WHERE row.shape = 'person'] AS x_person
  CALL (x_person) {
    MATCH ()-[of_person:ABOUT]->()
    SEARCH of_person IN (
      VECTOR INDEX about_vector_$$slot FOR $vector
      WHERE of_person.person_id = x_person.person_from AND of_person.portable = true
        AND of_person.persona_id = x_person.persona
        AND of_person.created_at <= $known_at AND of_person.retired_at > $known_at AND of_person.expires_at > $known_at
        AND of_person.valid_from <= $as_of AND of_person.valid_until > x_person.valid_after
        AND of_person.ended_at > x_person.ended_after
        AND of_person.event_time >= $after AND of_person.event_time < $before
        AND of_person.type >= x_person.type_from AND of_person.type <= x_person.type_to
        AND of_person.kind >= x_person.kind_from AND of_person.kind <= x_person.kind_to
        AND of_person.category >= x_person.category_from AND of_person.category <= x_person.category_to
        AND of_person.source >= x_person.source_from AND of_person.source <= x_person.source_to
        AND of_person.status >= x_person.status_from AND of_person.status <= x_person.status_to
        AND of_person.sensitivity >= x_person.sensitivity_from AND of_person.sensitivity <= x_person.sensitivity_to
      LIMIT $limit
    ) SCORE AS person_nearness
    RETURN collect({memory: startNode(of_person), nearness: person_nearness}) AS person_given
  }
  RETURN collect(person_given) AS person_lists
}
CALL () {
  UNWIND [row IN $rows WHERE row.shape = 'learned'] AS x_learned
  CALL (x_learned) {
    MATCH ()-[of_chat:ABOUT]->()
    SEARCH of_chat IN (
      VECTOR INDEX about_vector_$$slot FOR $vector
      WHERE of_chat.person_id = x_learned.person_from AND of_chat.learned_in = x_learned.learned_from AND of_chat.portable = true
        AND of_chat.persona_id = x_learned.persona
        AND of_chat.created_at <= $known_at AND of_chat.retired_at > $known_at AND of_chat.expires_at > $known_at
        AND of_chat.valid_from <= $as_of AND of_chat.valid_until > x_learned.valid_after
        AND of_chat.ended_at > x_learned.ended_after
        AND of_chat.event_time >= $after AND of_chat.event_time < $before
        AND of_chat.type >= x_learned.type_from AND of_chat.type <= x_learned.type_to
        AND of_chat.kind >= x_learned.kind_from AND of_chat.kind <= x_learned.kind_to
        AND of_chat.category >= x_learned.category_from AND of_chat.category <= x_learned.category_to
        AND of_chat.source >= x_learned.source_from AND of_chat.source <= x_learned.source_to
        AND of_chat.status >= x_learned.status_from AND of_chat.status <= x_learned.status_to
        AND of_chat.sensitivity >= x_learned.sensitivity_from AND of_chat.sensitivity <= x_learned.sensitivity_to
      LIMIT $limit
    ) SCORE AS learned_nearness
    RETURN collect({memory: startNode(of_chat), nearness: learned_nearness}) AS learned_given
  }
  RETURN collect(learned_given) AS learned_lists
}
CALL () {
  UNWIND [row IN $rows WHERE row.shape = 'said'] AS x_said
  CALL (x_said) {
    MATCH ()-[by_speaker:ABOUT]->()
    SEARCH by_speaker IN (
      VECTOR INDEX about_vector_$$slot FOR $vector
      WHERE by_speaker.person_id = x_said.person_from AND by_speaker.speaker_id = x_said.speaker_from AND by_speaker.portable = true
        AND by_speaker.persona_id = x_said.persona
        AND by_speaker.created_at <= $known_at AND by_speaker.retired_at > $known_at AND by_speaker.expires_at > $known_at
        AND by_speaker.valid_from <= $as_of AND by_speaker.valid_until > x_said.valid_after
        AND by_speaker.ended_at > x_said.ended_after
        AND by_speaker.event_time >= $after AND by_speaker.event_time < $before
        AND by_speaker.type >= x_said.type_from AND by_speaker.type <= x_said.type_to
        AND by_speaker.kind >= x_said.kind_from AND by_speaker.kind <= x_said.kind_to
        AND by_speaker.category >= x_said.category_from AND by_speaker.category <= x_said.category_to
        AND by_speaker.source >= x_said.source_from AND by_speaker.source <= x_said.source_to
        AND by_speaker.status >= x_said.status_from AND by_speaker.status <= x_said.status_to
        AND by_speaker.sensitivity >= x_said.sensitivity_from AND by_speaker.sensitivity <= x_said.sensitivity_to
      LIMIT $limit
    ) SCORE AS said_nearness
    RETURN collect({memory: startNode(by_speaker), nearness: said_nearness}) AS said_given
  }
  RETURN collect(said_given) AS said_lists
}
CALL () {
  UNWIND [row IN $rows WHERE row.shape = 'told'] AS x_told
  CALL (x_told) {
    MATCH ()-[told_here:ABOUT]->()
    SEARCH told_here IN (
      VECTOR INDEX about_vector_$$slot FOR $vector
      WHERE told_here.learned_in = x_told.learned_from AND told_here.chat_id = ''
        AND told_here.persona_id = x_told.persona
        AND told_here.created_at <= $known_at AND told_here.retired_at > $known_at AND told_here.expires_at > $known_at
        AND told_here.valid_from <= $as_of AND told_here.valid_until > x_told.valid_after
        AND told_here.ended_at > x_told.ended_after
        AND told_here.event_time >= $after AND told_here.event_time < $before
        AND told_here.type >= x_told.type_from AND told_here.type <= x_told.type_to
        AND told_here.kind >= x_told.kind_from AND told_here.kind <= x_told.kind_to
        AND told_here.category >= x_told.category_from AND told_here.category <= x_told.category_to
        AND told_here.source >= x_told.source_from AND told_here.source <= x_told.source_to
        AND told_here.status >= x_told.status_from AND told_here.status <= x_told.status_to
        AND told_here.sensitivity >= x_told.sensitivity_from AND told_here.sensitivity <= x_told.sensitivity_to
      LIMIT $limit
    ) SCORE AS told_nearness
    RETURN collect({memory: startNode(told_here), nearness: told_nearness, person: told_here.person_id}) AS told_given
  }
  RETURN collect([each IN told_given WHERE each.person IN $concerned]) AS told_lists
}
WITH place, scope_lists + here_lists + person_lists + learned_lists + said_lists + told_lists AS lists
// include: nearest
