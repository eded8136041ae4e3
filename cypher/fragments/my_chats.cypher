// Collects the ids of the chats in which the viewer takes part now (`my_chats`), and of the groups among them
// (`my_groups`). Within a space (`$space`; `''`: none; null: no limit) the chats of other spaces are left out (P7).
// params: $viewer, $space, $now
CALL () {
  OPTIONAL MATCH (:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(in_it:Chat)
  WHERE mine.since <= $now AND mine.until > $now AND ($space IS NULL OR coalesce(in_it.space_id, '') IN ['', $space])
  WITH in_it ORDER BY in_it.id
  RETURN collect(DISTINCT in_it.id) AS my_chats,
         collect(DISTINCT CASE in_it.kind WHEN 'group' THEN in_it.id END) AS my_groups
}
