// Counts what the erasure of a person would delete, and returns the ids of the memories among it. Nothing is changed.
// params: $ids, $meant_by
// returns: counts, gone
// mode: read
CALL () {
  // include: erased_memories
  RETURN count(CASE WHEN m:Episodic THEN 1 END) AS turns, count(CASE WHEN m:Summary THEN 1 END) AS summaries,
         count(CASE WHEN NOT m:Episodic AND NOT m:Summary THEN 1 END) AS facts, collect(m) AS gone
}
CALL (gone) {
  UNWIND gone AS m
  MATCH (m)-[:HAS_VERSION]->(v:Version)
  RETURN count(v) AS versions
}
CALL (gone) {
  CALL (gone) {
    UNWIND $ids AS id
    MATCH (:Entity|Merged {id: id})<-[:OF]-(t:Todo)
    RETURN t
  UNION
    UNWIND gone AS m
    MATCH (m)<-[:DERIVED_FROM]-(t:Todo)
    RETURN t
  }
  RETURN count(t) AS todos
}
CALL () {
  MATCH (b:Block) WHERE b.person_id IN $ids
  RETURN count(b) AS blocks
}
CALL () {
  MATCH (s:UserState) WHERE s.person_id IN $ids
  RETURN count(s) AS states
}
CALL () {
  UNWIND $ids AS id
  MATCH (c:Credential)-[:OF]->(:Entity|Merged {id: id})
  RETURN count(c) AS credentials
}
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})-[part:PARTICIPATES_IN|INVITED_TO]->(c:Chat)
  RETURN count(part) AS memberships, collect(DISTINCT CASE c.kind WHEN 'private' THEN c END) AS own_chats
}
CALL (own_chats) {
  UNWIND own_chats AS c
  MATCH (s:Session)-[:IN_CHAT]->(c)
  RETURN count(s) AS sessions
}
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})-[related:RELATED_TO]-()
  RETURN count(DISTINCT related) AS relations
}
CALL (gone) {
  UNWIND gone AS m
  MATCH (m)-[:ABOUT]->(:Entity)-[said:RELATED_TO]-(neighbour:Entity) WHERE m.id IN said.evidence
  RETURN collect(DISTINCT neighbour) AS neighbours
}
CALL (gone, neighbours) {
  // include: known_from_these_alone
  RETURN count(e) AS entities
}
CALL () {
  UNWIND $ids AS id
  MATCH (one:Entity|Merged {id: id})
  RETURN sum(1 + size(one.aliases) + size(one.usernames)) AS names
}
RETURN {turns: turns, facts: facts, summaries: summaries, versions: versions, states: states, todos: todos, blocks: blocks,
        credentials: credentials, memberships: memberships, chats: size(own_chats), sessions: sessions,
        relations: relations, entities: entities, names: names} AS counts, [m IN gone | m.id] AS gone
