// Gives the memory `m` the marks that somebody says it has, in the index entries too; what is null stays. A mark that was
// told is no guess, and no evidence moves it.
// expects: m, sensitivity, portable
// params: -
WITH *, CASE WHEN sensitivity IS NULL THEN [] ELSE ['sensitivity'] END
      + CASE WHEN portable IS NULL THEN [] ELSE ['portable'] END AS told
SET m.sensitivity = coalesce(sensitivity, m.sensitivity), m.portable = coalesce(portable, m.portable),
    m.guessed = [mark IN m.guessed WHERE NOT mark IN told],
    m.explicit_marks = [mark IN coalesce(m.explicit_marks, []) WHERE NOT mark IN told] + told
// include: mark_words
WITH *
// include: about_marks
