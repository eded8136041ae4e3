// Stores dialogue turns in the order given, each with its session, its speaker and its place in the chain (W1, S3).
// The chats are locked first, in the order of `$chats`: whoever holds the lock of one sees its whole chain, so no two
// turns follow the same one, and no two sessions are open at once. A turn that cannot be stored says why in `outcome`
// (`conflict`, `purged`, `unknown_chat`, `not_own`, `unknown_persona`, `unknown_speaker`, `queue_full`) and writes
// nothing. A turn that is `in_own_chat` may only go to a private chat of the viewer.
// Then the places in the queue are locked, in the order of their names: one for each scope (owner or group) and each of
// `$paces`. The turns of a scope are due `$apart` milliseconds after each other, with those of other scopes between
// them.
// The time zone of a turn is stored unless it is UTC. It determines the day under which the turn is found (`$months`
// has the names of the months).
// params: $chats, $turns, $paces, $apart, $most_waiting, $now, $no_end, $months, $default_zone, $idle_seconds
// returns: id, session_id, outcome
// mode: write
UNWIND $chats AS id
MATCH (c:Chat {id: id})
// include: may_act
SET c.lock = $now
WITH collect(c.id) AS chats, collect(DISTINCT c.scope) AS scopes
CALL (scopes) {
  UNWIND scopes AS scope
  UNWIND $paces AS pace
  WITH 'place ' + pace + ' ' + scope AS name ORDER BY name
  MATCH (place:Lock {name: name})
  SET place.at = $now
  RETURN count(place) AS places
}
// include: full_scopes
UNWIND $turns AS t
CALL (chats, full, t) {
  OPTIONAL MATCH (c:Chat {id: t.chat_id}) WHERE t.chat_id IN chats
  OPTIONAL MATCH (persona:Persona {id: t.persona_id})
  OPTIONAL MATCH (same:Memory {idempotency_key: t.idempotency_key})
  OPTIONAL MATCH (purged:Purged {id: t.idempotency_key})
  // The assistant's turns get the time zone of the person it talks to, the owner of the chat.
  OPTIONAL MATCH (person:Person {id: coalesce(t.speaker_id, c.owner_id)})
  // A session is named by its id or by the caller's word for it. An id from another chat or persona counts as a word.
  OPTIONAL MATCH (meant:Session {id: t.session_id}) WHERE meant.chat_id = t.chat_id AND meant.persona_id = t.persona_id
  OPTIONAL MATCH (called:Session {word_key: t.word_key})
  WITH c, persona, t, full, same, purged, coalesce(meant, called) AS given,
    coalesce(t.time_zone, person.time_zone, c.time_zone, $default_zone) AS zone,
    CASE WHEN t.by_assistant THEN persona
         WHEN EXISTS { (person)-[part:PARTICIPATES_IN]->(c)
                       WHERE part.since <= $now AND part.until > $now
                          OR part.since <= t.event_time AND part.until > t.event_time } THEN person
    END AS speaker
  WITH c, persona, t, same, given, speaker, zone,
    CASE WHEN c IS NULL THEN 'unknown_chat'
         WHEN t.in_own_chat AND (c.kind <> 'private' OR c.owner_id <> $viewer) THEN 'not_own'
         WHEN same.request_hash = t.request_hash THEN 'repeated'
         WHEN same IS NOT NULL THEN 'conflict'
         WHEN purged IS NOT NULL THEN 'purged'
         WHEN t.persona_id <> '' AND persona IS NULL THEN 'unknown_persona'
         WHEN speaker IS NULL THEN 'unknown_speaker'
         WHEN c.scope IN full THEN 'queue_full'
         ELSE 'recorded'
    END AS outcome
  OPTIONAL CALL (c, persona, t, given, speaker, zone, outcome) {
    WITH * WHERE outcome = 'recorded'
    MERGE (place:Lock {name: 'place ' + t.pace + ' ' + c.scope})
    WITH *, CASE WHEN place.next > $now THEN place.next ELSE $now END AS due_at
    SET place.at = $now, place.next = due_at + duration({milliseconds: $apart})
    // A session is due a moment later, to await what is said next, or with the turn if that is due far later.
    WITH *, due_at > $now + duration({seconds: 10}) AS behind
    WITH *, CASE WHEN behind THEN 'consolidate later' ELSE 'consolidate' END AS session_job,
         CASE WHEN behind THEN due_at ELSE $now END AS session_due_at
    OPTIONAL MATCH (open:Session {open_key: t.chat_id + '|' + t.persona_id})
    // A message that arrives late joins the session that its time falls in.
    OPTIONAL CALL (t, open) {
      WITH t WHERE t.session_id IS NULL AND (open IS NULL OR t.event_time < open.started_at)
      MATCH (earlier:Session) USING INDEX SEEK earlier:Session(chat_id, persona_id, started_at)
      WHERE earlier.chat_id = t.chat_id AND earlier.persona_id = t.persona_id AND earlier.started_at <= t.event_time
        AND t.event_time <= CASE earlier.closed_by
          WHEN 'idle' THEN earlier.last_activity_at + duration({seconds: $idle_seconds}) ELSE earlier.ended_at
        END
      RETURN earlier ORDER BY earlier.chat_id DESC, earlier.persona_id DESC, earlier.started_at DESC LIMIT 1
    }
    WITH *, CASE
      WHEN t.session_id IS NOT NULL THEN given
      WHEN open IS NULL OR t.event_time < open.started_at THEN coalesce(earlier, open)
      WHEN t.event_time <= open.last_activity_at + duration({seconds: $idle_seconds}) THEN open
    END AS joined
    WITH *, joined IS NULL AND NOT t.aside AND (open IS NULL OR t.event_time >= open.last_activity_at) AS opens
    FOREACH (old IN CASE WHEN opens AND open IS NOT NULL THEN [open] ELSE [] END |
      SET old.ended_at = old.last_activity_at, old.closed_by = 'idle'
      REMOVE old.open_key
      // include: session_queued(session=old, job=session_job, due_at=session_due_at)
    )
    MERGE (s:Session {id: coalesce(joined.id, t.new_session_id)})
    ON CREATE SET
      s.chat_id = t.chat_id, s.persona_id = t.persona_id, s.word_key = t.word_key, s.token = t.session_token,
      s.turn_count = 0,
      s.created_at = $now, s.started_at = t.event_time, s.last_activity_at = t.event_time,
      s.ended_at = CASE WHEN opens THEN $no_end ELSE t.event_time END,
      s.closed_by = CASE WHEN opens THEN null WHEN t.aside THEN 'request' ELSE 'idle' END,
      s.open_key = CASE WHEN opens THEN t.chat_id + '|' + t.persona_id END
    FOREACH (new IN CASE WHEN s.turn_count = 0 THEN [s] ELSE [] END |
      CREATE (new)-[:IN_CHAT {created_at: $now}]->(c)
      FOREACH (p IN CASE WHEN persona IS NULL THEN [] ELSE [persona] END |
        CREATE (new)-[:WITH_PERSONA {created_at: $now}]->(p)
      )
    )
    WITH c, t, speaker, zone, s, due_at, session_job, session_due_at
    // The neighbours in the chain, by the messages' own times and then by arrival. The named index and the order by its
    // whole key make each of these lookups one step instead of a scan of the session.
    OPTIONAL CALL (t, s) {
      MATCH (before:Memory) USING INDEX SEEK before:Memory(session_id, event_time, turn)
      WHERE before.session_id = s.id AND before.event_time <= t.event_time AND before.turn IS NOT NULL
      RETURN before ORDER BY before.session_id DESC, before.event_time DESC, before.turn DESC LIMIT 1
    }
    OPTIONAL CALL (t, s) {
      MATCH (after:Memory) USING INDEX SEEK after:Memory(session_id, event_time, turn)
      WHERE after.session_id = s.id AND after.event_time > t.event_time AND after.turn IS NOT NULL
      RETURN after ORDER BY after.session_id, after.event_time, after.turn LIMIT 1
    }
    OPTIONAL MATCH (before)-[link:TEMPORAL]->(after)
    CREATE (m:Memory:Episodic:Pending)
    // The assistant's answer to a confided turn repeats what was confided.
    WITH *, t.by_assistant AND coalesce(before.confided, false) AS answers_confidence
    WITH *, CASE WHEN c.kind = 'group' THEN t.labels_in_group WHEN answers_confidence THEN t.labels_in_confidence
                 ELSE t.labels END AS labels
    WITH *, datetime({datetime: t.event_time, timezone: zone}) AS local
    SET m = t.properties, m.confided = CASE WHEN answers_confidence THEN true ELSE t.properties.confided END,
        m.sensitivity = labels.sensitivity, m.portable = labels.portable, m.inferred_labels = labels.inferred_labels,
        m.owner_id = c.owner_id,
        m.chat_id = CASE c.kind WHEN 'group' THEN c.id ELSE '' END,
        m.scope = c.scope, m.scopes = [c.scope], m.learned_in = c.id,
        m.persona_id = t.persona_id, m.space_id = coalesce(c.space_id, ''), m.session_id = s.id, m.turn = s.turn_count + 1,
        m.speaker_id = speaker.id,
        m.speaker_name = coalesce(speaker.canonical_name, speaker.name),
        m.time_zone = nullIf(zone, 'UTC'),
        m.title = t.title, m.heading = coalesce(t.title, coalesce(speaker.canonical_name, speaker.name) + ' '
          + toString(local.day) + ' ' + $months[local.month - 1] + ' ' + toString(local.year))
          + coalesce(' ' + t.named, ''),
        m.facets = t.facets + labels.facets + [s.token] + COLLECT {
          MATCH (space:Space {id: c.space_id}) UNWIND space.facets AS facet RETURN facet
        },
        m.job = CASE WHEN due_at > $now THEN 'enrich later' ELSE 'enrich' END, m.due_at = due_at, m.attempts = 0
    // The neighbours before the speaker: enrichment locks memories before people too, so there is no deadlock.
    FOREACH (l IN CASE WHEN link IS NULL THEN [] ELSE [link] END | DELETE l)
    FOREACH (b IN CASE WHEN before IS NULL THEN [] ELSE [before] END |
      CREATE (b)-[:TEMPORAL {created_at: m.created_at, weight: 1.0, confidence: 1.0,
                             valid_from: t.event_time, valid_until: $no_end}]->(m)
    )
    FOREACH (a IN CASE WHEN after IS NULL THEN [] ELSE [after] END |
      CREATE (m)-[:TEMPORAL {created_at: m.created_at, weight: 1.0, confidence: 1.0,
                             valid_from: a.event_time, valid_until: $no_end}]->(a)
    )
    // include: sessions_linked
    CREATE (m)-[:IN_SESSION {created_at: $now}]->(s)
    CREATE (m)-[:STATED_BY {created_at: $now}]->(speaker)
    CREATE (m)-[:LEARNED_IN {created_at: $now}]->(c)
    CALL (c, speaker) {
      MATCH (speaker)-[part:PARTICIPATES_IN]->(c)
      SET part.wrote_at = $now
    }
    SET s.turn_count = s.turn_count + 1,
        s.started_at = CASE WHEN t.event_time < s.started_at THEN t.event_time ELSE s.started_at END,
        s.last_activity_at =
          CASE WHEN t.event_time > s.last_activity_at THEN t.event_time ELSE s.last_activity_at END,
        s.ended_at = CASE WHEN s.open_key IS NULL AND t.event_time > s.ended_at THEN t.event_time ELSE s.ended_at END,
        // It is consolidated a moment later; a worker that holds it compares the number of turns when done.
        s.unconsolidated = true
    // include: session_queued(session=s, job=session_job, due_at=session_due_at + duration({seconds: 1}))
    RETURN s.id AS session_id
  }
  RETURN outcome, coalesce(same.id, t.id) AS id, coalesce(session_id, same.session_id) AS session_id
}
RETURN id, session_id, outcome
