// Sets the labels of the memory `m` that somebody stated, in the index entries too; null leaves a label as it is. A
// stated label is no guess, and no evidence changes it.
// expects: m, sensitivity, portable
WITH *, CASE WHEN sensitivity IS NULL THEN [] ELSE ['sensitivity'] END
      + CASE WHEN portable IS NULL THEN [] ELSE ['portable'] END AS told
SET m.sensitivity = coalesce(sensitivity, m.sensitivity), m.portable = coalesce(portable, m.portable),
    m.inferred_labels = [label IN m.inferred_labels WHERE NOT label IN told],
    m.explicit_labels = [label IN coalesce(m.explicit_labels, []) WHERE NOT label IN told] + told
// include: label_terms
WITH *
// include: copy_to_about
