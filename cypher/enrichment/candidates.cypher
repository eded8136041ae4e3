// The entities that names may mean, beside those with exactly these names: who takes part in these chats and what was
// named there recently, up to 8 entities for each of `$queries` whose names look or sound alike, and the entities
// `$ids`. Each has the chats where it comes up and the people and things there (`company`). The id of a person stands
// for what they told outside chats. For people with an account or in a chat, only chats in which the speaker wrote
// count. `vouched` are the tokens of names that somebody else vouched for (P6).
// params: $chats, $queries, $ids
// returns: chat, takes_part, place, speaker, entity
// mode: read
CALL () {
  UNWIND $chats AS chat
  CALL (chat) {
    MATCH (e:Person)-[:PARTICIPATES_IN]->(:Chat {id: chat})
    RETURN DISTINCT e, true AS takes_part LIMIT 100
  UNION ALL
    MATCH (e:Person {id: chat})
    RETURN e, true AS takes_part
  UNION ALL
    // For people only: all memories of a group were learned there, and are read by the next branch.
    WITH chat WHERE EXISTS { (:Person {id: chat}) }
    MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
    WHERE m.scope = chat AND m.event_time IS NOT NULL AND m.id IS NOT NULL AND m.learned_in = ''
    WITH m ORDER BY m.scope DESC, m.event_time DESC, m.id DESC LIMIT 100
    MATCH (m)-[:MENTIONS|ABOUT]->(e:Entity)
    RETURN DISTINCT e, false AS takes_part LIMIT 100
  UNION ALL
    MATCH (m:Memory) USING INDEX SEEK m:Memory(learned_in, event_time, id)
    WHERE m.learned_in = chat AND m.event_time IS NOT NULL AND m.id IS NOT NULL
    WITH m ORDER BY m.learned_in DESC, m.event_time DESC, m.id DESC LIMIT 100
    MATCH (m)-[:MENTIONS|ABOUT]->(e:Entity)
    RETURN DISTINCT e, false AS takes_part LIMIT 100
  }
  RETURN chat, takes_part, null AS place, null AS speaker, e, [chat] AS chats, [] AS company
UNION ALL
  CALL () {
    UNWIND $queries AS asked
    CALL (asked) {
      CALL db.index.fulltext.queryNodes('sound_fulltext', asked.query, {limit: 30}) YIELD node
      WHERE node.type = asked.type
      RETURN node LIMIT 8
    }
    RETURN asked.place AS place, asked.speaker AS speaker, node AS e
  UNION ALL
    UNWIND $ids AS asked
    MATCH (e:Entity {id: asked.id})
    RETURN null AS place, asked.speaker AS speaker, e
  }
  WITH place, speaker, e,
       speaker IS NOT NULL AND e:Person AND (e.user_id IS NOT NULL OR EXISTS { (e)-[:PARTICIPATES_IN]->() }) AS guarded
  OPTIONAL CALL (e, speaker, guarded) {
    MATCH (e)-[:PARTICIPATES_IN]->(c:Chat)
    WHERE NOT guarded OR EXISTS {
      MATCH (who:Person {id: speaker})-[said:PARTICIPATES_IN]->(c) USING INDEX SEEK who:Person(id) WHERE said.wrote_at IS NOT NULL
    }
    RETURN c.id AS chat LIMIT 20
  UNION
    MATCH (e)<-[:MENTIONS|ABOUT]-(m:Memory)
    WITH m, speaker, guarded LIMIT 20
    WITH CASE m.learned_in WHEN '' THEN m.scope ELSE m.learned_in END AS chat, speaker, guarded
    WHERE NOT guarded OR chat = speaker OR EXISTS {
      MATCH (who:Person {id: speaker})-[said:PARTICIPATES_IN]->(in_it:Chat {id: chat})
        USING INDEX SEEK who:Person(id) USING INDEX SEEK in_it:Chat(id) WHERE said.wrote_at IS NOT NULL
    }
    RETURN chat
  }
  WITH place, speaker, e, guarded, collect(DISTINCT chat) AS chats
  CALL (e, chats) {
    CALL (chats) {
      UNWIND chats AS chat
      MATCH (other:Person)-[:PARTICIPATES_IN]->(:Chat {id: chat})
      RETURN other
    UNION
      UNWIND chats AS chat
      MATCH (other:Person {id: chat})
      RETURN other
    }
    WITH DISTINCT other, e WHERE other <> e
    RETURN collect({id: other.id, name: other.canonical_name})[..100] AS there
  }
  CALL (e, chats, guarded) {
    MATCH (e)<-[:MENTIONS|ABOUT]-(m:Memory)
    WITH m, e, chats, guarded LIMIT 20
    WITH m, e WHERE NOT guarded OR m.learned_in IN chats OR m.scope IN chats
    MATCH (m)-[:MENTIONS|ABOUT]->(other:Entity) WHERE other <> e
    WITH DISTINCT other
    RETURN collect({id: other.id, name: other.canonical_name})[..100] AS beside
  }
  RETURN null AS chat, false AS takes_part, place, speaker, e, chats, there + beside AS company
}
CALL (e) {
  WITH e AS p WHERE e:Person
  MATCH (one)-[:MERGED_INTO]->*(p)
  WITH
       // include: vouched_tokens
       AS vouched
  RETURN reduce(all = [], tokens IN collect(vouched) | all + tokens) AS vouched
}
RETURN chat, takes_part, place, speaker,
       e {.id, .type, .canonical_name, .aliases, .usernames, .names, chats: chats, company: company,
          member: e:Person AND (e.user_id IS NOT NULL OR EXISTS { (e)-[:PARTICIPATES_IN]->() }),
          vouched: CASE WHEN e:Person THEN vouched END} AS entity
