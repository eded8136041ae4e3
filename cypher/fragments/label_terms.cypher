// Gives the memory `m` the words of the full-text index that stand for its labels.
// expects: m
// params: $label_terms
SET m.facets = [facet IN m.facets WHERE NOT facet IN $label_terms.all]
             + [$label_terms[m.sensitivity], $label_terms[toString(m.portable)]]
