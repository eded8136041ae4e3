// Gives the memory `m` its key (W5) in the words of what it claims and of its own sort: under an aspect the claim leaves
// the fact type out, since a habit and a fact of one aspect are one matter.
// expects: m
SET m.memory_key = CASE WHEN m.claim_key IS NULL THEN m.memory_key ELSE
  m.category + '|' + split(m.claim_key, '|')[0] + '|' + split(m.claim_key, '|')[1] + '|' + m.fact_type + '|'
  + split(m.claim_key, '|')[3] END
