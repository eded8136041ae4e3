// Lets made memories be such as a night finds: of each hundred of them five ran out thirty days after they were made, twenty
// are facts that fade after 106 days, two were said again on seven days. `position` is the place to go on from, null at the
// end.
// params: $position, $limit
// returns: position
// mode: write

// include: page_of_ids(label=Memory)
CALL (page) {
  UNWIND range(0, size(page) - 1) AS place
  WITH page[place] AS m, place % 100 AS share
  SET m.expires_at = CASE WHEN share < 5 THEN m.created_at + duration({days: 30}) ELSE m.expires_at END,
      m.said_on = CASE WHEN share >= 98 THEN [day IN range(1, 7) | '2026-01-0' + day] END
  WITH m, share WHERE share >= 5 AND share < 25
  REMOVE m:Episodic
  SET m:Semantic, m.confidence = 0.4, m.decay_rate = 0.05
  RETURN count(m) AS facts
}
RETURN
       // include: next_position
