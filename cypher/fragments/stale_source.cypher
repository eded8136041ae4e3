// Whether the memory `m`, a source of the summary `s`, no longer holds or is archived or outranked, or was reworded or
// made more private since.
// expects: m, s
// params: $now, $no_end
(m.retired_at < $no_end OR m.expires_at <= $now OR m.valid_until <= $now OR m.status <> 'active'
 OR m.changed_at > s.created_at OR coalesce(m.outranked, false)
 OR m.sensitivity <> 'public' AND s.sensitivity = 'public' OR m.sensitivity = 'sensitive' AND s.sensitivity = 'personal')
