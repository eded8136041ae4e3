// Gives the memory `m` the words of the full-text index that stand for its marks.
// expects: m
// params: $mark_words
SET m.facets = [facet IN m.facets WHERE NOT facet IN $mark_words.all]
             + [$mark_words[m.sensitivity], $mark_words[toString(m.portable)]]
