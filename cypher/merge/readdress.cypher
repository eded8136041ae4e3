// Readdresses the memories about an entity that is to be merged away, and those that it stated, to the other: in their
// keys, speakers and index terms. Of those that are then live under one key all but the last to begin are ended, as by
// supersession (W5).
// params: $gone, $merge_id, $now, $no_end
// returns: ended
// mode: write
CALL () {
  MATCH (:Entity {id: $gone})<-[r:ABOUT|STATED_BY]-(m:Memory)
  WITH m, collect(r) AS links
  RETURN m, any(r IN links WHERE type(r) = 'ABOUT' AND r.primary) AS of_it,
         any(r IN links WHERE type(r) = 'ABOUT') AND NOT EXISTS { (m)-[:ABOUT]->(:Entity {id: $new_id}) } AS about_it,
         any(r IN links WHERE type(r) = 'STATED_BY') AS stated
}
// include: readdressed
// include: one_live(merge=$merge_id)
RETURN ended
