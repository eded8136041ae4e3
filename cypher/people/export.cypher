// The data held on a person apart from memories: names, account, chats, invitations, state, credentials without their
// hashes, who was merged into them, and relations to others. Without `$everything` relations are left to the cards, and
// merged entities are included only if the person created them or they had an account or a username, without their
// aliases.
// params: $ids, $everything
// returns: person
// mode: read
MATCH (p:Person) WHERE p.id IN $ids
RETURN p {
  .id, .key, .canonical_name, .aliases, .given_names, .usernames, .user_id, .time_zone, first_seen: toString(p.first_seen),
  merged: COLLECT {
    MATCH (was:Merged)-[record:MERGED_INTO]->+(p)
    WHERE $everything OR was.created_by IN $ids OR was.user_id IS NOT NULL OR size(was.usernames) > 0
    RETURN {key: was.key, canonical_name: was.canonical_name, usernames: was.usernames,
            aliases: CASE WHEN $everything THEN was.aliases ELSE [] END}
  },
  chats: COLLECT {
    MATCH (p)-[part:PARTICIPATES_IN]->(c:Chat)
    WITH part, c ORDER BY part.since
    RETURN {id: c.id, title: c.title, kind: c.kind, since: toString(part.since),
            until: CASE WHEN part.until.year < 9999 THEN toString(part.until) END}
  },
  invitations: COLLECT {
    MATCH (p)-[asked:INVITED_TO]->(c:Chat)
    WITH asked, c ORDER BY asked.created_at
    RETURN {id: c.id, title: c.title, created_at: toString(asked.created_at)}
  },
  state: COLLECT {
    MATCH (s:UserState) WHERE s.person_id IN $ids
    WITH s ORDER BY s.key, s.valid_from, s.created_at
    RETURN {key: s.key, value: s.value, for_groups: coalesce(s.for_groups, false), valid_from: toString(s.valid_from),
            valid_until: CASE WHEN s.valid_until.year < 9999 THEN toString(s.valid_until) END,
            created_at: toString(s.created_at)}
  },
  credentials: COLLECT {
    MATCH (c:Credential)-[:OF]->(p)
    WITH c ORDER BY c.created_at
    RETURN {id: c.id, name: c.name, created_at: toString(c.created_at)}
  },
  relations: COLLECT {
    MATCH (p)-[related:RELATED_TO]-(other:Entity) WHERE $everything
    RETURN {predicate: related.predicate, other: other.key, from: startNode(related).key}
  }
} AS person
