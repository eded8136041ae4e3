// Invites the person `to`, who has an account, to each chat in which the person `from` takes part because somebody
// added them who was not trusted to, and in which `to` does not take part (P6).
// takes: from, to, merged_from
// params: $now
CALL (*) {
  MATCH ($$from)-[part:PARTICIPATES_IN]->(c:Chat)
  WHERE part.added_by IS NOT NULL AND part.until > $now
    AND NOT EXISTS { MATCH ($$to)-[own:PARTICIPATES_IN]->(c) WHERE own.until > $now AND own.added_by IS NULL }
  WITH c, $$to AS guest, part ORDER BY part.until
  MERGE (guest)-[asked:INVITED_TO]->(c)
  ON CREATE SET asked = part {.id, .created_at, .until, invited_by: part.added_by, merged_from: $$merged_from}
}
