// Retires the memories `gone`, which are locked already, what was found in them and nowhere else, unless somebody made
// it theirs, and the shared copies of these. Other facts get the labels that their remaining evidence requires. Leaves
// all that was retired as `forgotten`. Only the act $$act (`''`: none) can restore the shared copies.
// expects: gone
// takes: act
// params: $viewer, $now, $no_end
CALL (gone) {
  UNWIND gone AS source
  MATCH (source)<-[from:DERIVED_FROM]-(found:Memory) WHERE
  // include: was_extracted
  WITH DISTINCT gone, found ORDER BY found.id
  SET found.lock = $now
  WITH gone, found
  WHERE NOT found IN gone
    AND NOT EXISTS { (found)-[:DERIVED_FROM]->(other:Memory) WHERE NOT other IN gone AND other.retired_at = $no_end }
  // include: unedited
  RETURN collect(found) AS alone
}
WITH *, gone + alone AS originals
// include: taken_back(chat=null, act=$$act)
WITH *, originals + taken_back AS forgotten
CALL (originals) {
  UNWIND originals AS m
  SET m.retired_at = $now, m.retired_by = 'forgotten', m.changed_by = $viewer
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  WITH m
  // include: relation_times
}
CALL (gone) {
  UNWIND gone AS evidence
  // include: refresh_derived_labels
}
