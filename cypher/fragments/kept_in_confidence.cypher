// Keeps confidences (P1): makes a memory `m` that its owner told in private not portable if it is about somebody else
// who has an account or takes part in a chat, unless somebody set its portability explicitly.
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
