// Sets the memory key (W5) of the memory `m`: its claim key with its category and its own fact type. A claim key with
// an aspect does not hold the fact type, since a habit and a fact of one aspect are one matter.
// expects: m
SET m.memory_key = CASE WHEN m.claim_key IS NULL THEN m.memory_key ELSE
  m.category + '|' + split(m.claim_key, '|')[0] + '|' + split(m.claim_key, '|')[1] + '|' + m.fact_type + '|'
  + split(m.claim_key, '|')[3] END
