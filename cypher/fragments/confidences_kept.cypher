// Makes what others told in private of the person `p` not portable, now that `p` has an account or takes part in a
// chat and could come to see it.
// expects: p
// params: $label_terms
CALL (p) {
  MATCH (p)<-[:ABOUT]-(m:Memory) WHERE m.portable AND m.owner_id <> ''
  // include: kept_in_confidence
  WITH m WHERE NOT m.portable
  // include: copy_to_about
}
