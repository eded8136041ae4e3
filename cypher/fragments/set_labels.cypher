// Gives the memory `m` the labels that somebody says it has, in the index entries too; what is null stays. A label that was
// told is no guess, and no evidence moves it.
// expects: m, sensitivity, portable
WITH *, CASE WHEN sensitivity IS NULL THEN [] ELSE ['sensitivity'] END
      + CASE WHEN portable IS NULL THEN [] ELSE ['portable'] END AS told
SET m.sensitivity = coalesce(sensitivity, m.sensitivity), m.portable = coalesce(portable, m.portable),
    m.inferred_labels = [label IN m.inferred_labels WHERE NOT label IN told],
    m.explicit_labels = [label IN coalesce(m.explicit_labels, []) WHERE NOT label IN told] + told
// include: label_terms
WITH *
// include: copy_to_about
