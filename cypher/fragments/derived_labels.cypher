// Gives the memory `m`, if it follows from evidence, the labels that this requires (M15). It is as private as the
// least private of its believed evidence, inferred labels included, and at least as private as its own words sound.
// Evidence counts as no less private than the place where it was found (W3). Explicit labels of the memory stay. The
// memory is locked first: of two writers who change its evidence at once, the later sees both changes.
// expects: m
// params: $now, $no_end
CALL (m) {
  WITH m WHERE m.own_sensitivity IS NOT NULL
  SET m.lock = $now
  WITH m
  MATCH (m)-[from:DERIVED_FROM]->(source:Memory) WHERE source.retired_at = $no_end
  WITH m, [source.sensitivity, from.least_sensitivity] AS asked,
       [CASE WHEN 'sensitivity' IN source.inferred_labels THEN 'public' ELSE source.sensitivity END, from.least_sensitivity] AS told,
       source.portable OR NOT 'portable' IN coalesce(source.explicit_labels, []) AS portable
  WITH m, collect(CASE WHEN 'sensitive' IN asked THEN 'sensitive' WHEN 'personal' IN asked THEN 'personal' ELSE 'public' END)
         AS asked,
       collect(CASE WHEN 'sensitive' IN told THEN 'sensitive' WHEN 'personal' IN told THEN 'personal' ELSE 'public' END)
         AS told,
       true IN collect(portable) AS portable
  WITH m, portable, coalesce(m.explicit_labels, []) AS explicit,
       [m.own_sensitivity,
        CASE WHEN 'public' IN asked THEN 'public' WHEN 'personal' IN asked THEN 'personal' ELSE 'sensitive' END] AS asked,
       CASE WHEN 'public' IN told THEN 'public' WHEN 'personal' IN told THEN 'personal' ELSE 'sensitive' END AS told
  WITH m, portable, explicit, told,
       CASE WHEN 'sensitivity' IN explicit THEN m.sensitivity
            WHEN 'sensitive' IN asked THEN 'sensitive' WHEN 'personal' IN asked THEN 'personal' ELSE 'public' END AS sensitivity,
       CASE WHEN 'portable' IN explicit THEN m.portable ELSE m.own_portable AND portable END AS is_portable
  WITH m, sensitivity, is_portable,
       CASE WHEN 'sensitivity' IN explicit OR sensitivity IN ['public', told] THEN [] ELSE ['sensitivity'] END
       + CASE WHEN 'portable' IN explicit OR is_portable OR NOT portable THEN [] ELSE ['portable'] END AS inferred_labels
  WHERE sensitivity <> m.sensitivity OR is_portable <> m.portable OR inferred_labels <> m.inferred_labels
  SET m.sensitivity = sensitivity, m.portable = is_portable, m.inferred_labels = inferred_labels
  // include: label_terms
  WITH m
  // include: copy_to_about
}
