// Raises the labels of the memory `m` to what its new wording suggests. That is a guess, so it never lowers a label,
// and a raised label becomes a guess again.
// expects: m
// params: $sensitivity, $portable
WITH *, CASE $sensitivity WHEN 'sensitive' THEN m.sensitivity <> 'sensitive' WHEN 'personal' THEN m.sensitivity = 'public'
        ELSE false END AS more_private
WITH *, CASE WHEN more_private THEN ['sensitivity'] ELSE [] END
      + CASE WHEN m.portable AND NOT $portable THEN ['portable'] ELSE [] END AS raised
SET m.sensitivity = CASE WHEN more_private THEN $sensitivity ELSE m.sensitivity END,
    m.portable = m.portable AND $portable,
    m.inferred_labels = [label IN m.inferred_labels WHERE NOT label IN raised] + raised,
    m.explicit_labels = [label IN coalesce(m.explicit_labels, []) WHERE NOT label IN raised],
    m.own_sensitivity = CASE WHEN m.own_sensitivity IS NULL THEN null
                             WHEN 'sensitive' IN [m.own_sensitivity, $sensitivity] THEN 'sensitive'
                             WHEN 'personal' IN [m.own_sensitivity, $sensitivity] THEN 'personal' ELSE 'public' END,
    m.own_portable = CASE WHEN m.own_portable IS NOT NULL THEN m.own_portable AND $portable END
// include: label_terms
