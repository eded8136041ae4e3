// Who or what names may mean, beside what goes by exactly these names: who takes part in these chats and what was named
// there of late, what looks or sounds like one of the names (`$queries` ask for a handful each), and the entities of
// `$ids`; with the chats where each comes up and the people who are there too. The id of a person stands for what they told
// outside of chats.
// params: $chats, $queries, $ids
// returns: chat, takes_part, place, entity
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
    MATCH (m:Memory) USING INDEX m:Memory(scope, event_time, id)
    WHERE m.scope = chat AND m.event_time IS NOT NULL AND m.id IS NOT NULL AND m.learned_in = ''
    WITH m ORDER BY m.scope DESC, m.event_time DESC, m.id DESC LIMIT 100
    MATCH (m)-[:MENTIONS|ABOUT]->(e:Entity)
    RETURN DISTINCT e, false AS takes_part LIMIT 100
  UNION ALL
    MATCH (m:Memory) USING INDEX m:Memory(learned_in, event_time, id)
    WHERE m.learned_in = chat AND m.event_time IS NOT NULL AND m.id IS NOT NULL
    WITH m ORDER BY m.learned_in DESC, m.event_time DESC, m.id DESC LIMIT 100
    MATCH (m)-[:MENTIONS|ABOUT]->(e:Entity)
    RETURN DISTINCT e, false AS takes_part LIMIT 100
  }
  RETURN chat, takes_part, null AS place, e, [chat] AS chats, [] AS company
UNION ALL
  CALL () {
    UNWIND $queries AS asked
    CALL (asked) {
      CALL db.index.fulltext.queryNodes('sound_fulltext', asked.query, {limit: 30}) YIELD node
      WHERE node.type = asked.type
      RETURN node LIMIT 8
    }
    RETURN asked.place AS place, node AS e
  UNION ALL
    UNWIND $ids AS id
    MATCH (e:Entity {id: id})
    RETURN null AS place, e
  }
  CALL (e) {
    MATCH (e)-[:PARTICIPATES_IN]->(c:Chat) RETURN c.id AS chat LIMIT 20
  UNION
    MATCH (e)<-[:MENTIONS|ABOUT]-(m:Memory)
    WITH m LIMIT 20
    RETURN CASE m.learned_in WHEN '' THEN m.scope ELSE m.learned_in END AS chat
  }
  WITH place, e, collect(DISTINCT chat) AS chats
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
    WITH other, e WHERE other <> e
    RETURN collect(DISTINCT other.canonical_name)[..100] AS there
  }
  CALL (e) {
    MATCH (e)<-[:MENTIONS|ABOUT]-(m:Memory)
    WITH m, e LIMIT 20
    MATCH (m)-[:MENTIONS|ABOUT]->(other:Entity) WHERE other <> e
    RETURN collect(DISTINCT other.canonical_name)[..100] AS beside
  }
  RETURN null AS chat, false AS takes_part, place, e, chats, there + beside AS company
}
RETURN chat, takes_part, place,
       e {.id, .type, .canonical_name, .aliases, .usernames, .names, chats: chats, company: company} AS entity
