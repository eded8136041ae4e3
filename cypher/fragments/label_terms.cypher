// Sets the full-text tokens of the memory `m` that stand for its labels.
// expects: m
// params: $label_terms
SET m.facets = [facet IN m.facets WHERE NOT facet IN $label_terms.all]
             + [$label_terms[m.sensitivity], $label_terms[toString(m.portable)]]
