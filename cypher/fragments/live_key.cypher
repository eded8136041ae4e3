// The key under which one memory of a chain is live (W5), with the claim key $$claim in place of that of $$m: an
// expression. Each space has a chain of its own, apart from that of no space (P7).
// expects: $$m
// takes: m, claim
$$m.scope + '|' + $$m.persona_id + '|' + $$claim + '|' + $$m.authority
  + CASE $$m.space_id WHEN '' THEN '' ELSE '|' + $$m.space_id END
