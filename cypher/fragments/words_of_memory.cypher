// The texts of the memory `m` as an erasure reads them: all its properties, its earlier wordings, the words that it was
// extracted from, and the names of the other entities in it, except `$ids`.
// expects: m
// params: $ids
[key IN keys(m) WHERE NOT key STARTS WITH 'embedding_' | [key, m[key]]] AS texts,
COLLECT { MATCH (m)-[:HAS_VERSION]->(v:Version) RETURN [v.id, v.content] } AS versions,
COLLECT { MATCH (m)-[from:DERIVED_FROM]->(turn) WHERE from.words IS NOT NULL RETURN [turn.id, from.words] } AS quoted,
COLLECT {
  MATCH (m)-[:ABOUT|MENTIONS|STATED_BY]->(other:Entity) WHERE NOT other.id IN $ids
  UNWIND [other.canonical_name] + other.aliases + [name IN other.usernames | '@' + name] AS name
  RETURN DISTINCT name
} AS others,
m.claim_key AS claim
