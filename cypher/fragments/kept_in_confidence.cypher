// Keeps what somebody told in private with them (P1): the memory `m` of theirs is not portable where it is about somebody
// else who has an account or takes part in a chat, unless somebody said that it is.
// expects: m
// params: $label_terms
CALL (m) {
  WITH m WHERE m.portable AND m.owner_id <> '' AND NOT 'portable' IN coalesce(m.explicit_labels, [])
    AND NOT EXISTS { (:Chat {id: m.learned_in, kind: 'group'}) }
    AND EXISTS {
      MATCH (m)-[:ABOUT]->(other:Person)
      WHERE other.id <> m.owner_id AND (other.user_id IS NOT NULL OR EXISTS { (other)-[:PARTICIPATES_IN]->() })
    }
  SET m.portable = false, m.inferred_labels = m.inferred_labels + 'portable',
      m.own_portable = CASE WHEN m.own_portable IS NOT NULL THEN false END
  // include: label_terms
}
