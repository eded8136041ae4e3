// Locks entities in the order of their ids, as `fact/lock` does, and returns what may prevent merging them: an account
// or participation in chats, what belongs to a person alone (`has_own`), memories of others (`of_others`), and whether
// some of these are in none of the viewer's own scopes (`elsewhere`). Whoever comes second waits here.
// params: $ids, $viewer, $now
// returns: entity
// mode: write

// include: my_chats
UNWIND $ids AS id
MATCH (e:Entity {id: id})
SET e.lock = $now
RETURN e {.id, .key, .type, .canonical_name, .created_by, has_account: e.user_id IS NOT NULL,
          has_own: EXISTS {
            MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
            WHERE m.scope = e.id AND m.event_time IS NOT NULL AND m.id IS NOT NULL
          } OR EXISTS { (e)<-[:OF]-() }
                OR EXISTS { (e)-[:PARTICIPATES_IN]->(:Chat {kind: 'private'}) },
          takes_part: e.user_id IS NOT NULL OR EXISTS { (e)-[:PARTICIPATES_IN]->() },
          of_others: EXISTS { MATCH (e)<-[:ABOUT|MENTIONS|STATED_BY]-(m:Memory) WHERE m.scope <> $viewer },
          elsewhere: EXISTS { MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory) WHERE m.scope <> $viewer AND NOT m.scope IN my_chats }
         } AS entity
