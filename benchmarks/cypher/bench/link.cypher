// Joins made memories, one after the other in this order, along TEMPORAL, and five of six along CAUSAL too: more than talk
// has.
// params: $ids, $no_end
// returns: -
// mode: write
UNWIND range(0, size($ids) - 2) AS place
MATCH (one:Memory {id: $ids[place]})
MATCH (other:Memory {id: $ids[place + 1]})
CREATE (one)-[:TEMPORAL {created_at: one.created_at, weight: 1.0, confidence: 1.0, valid_from: one.event_time,
                         valid_until: $no_end}]->(other)
FOREACH (cause IN CASE WHEN place % 6 > 0 THEN [one] ELSE [] END |
  CREATE (cause)-[:CAUSAL {created_at: one.created_at, weight: 1.0, confidence: 0.7, valid_from: one.event_time,
                           valid_until: $no_end}]->(other)
)
