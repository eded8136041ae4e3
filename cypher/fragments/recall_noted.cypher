// Notes that the owner of the memory `m` recalled it now, with the stability that it has from now on. Before the first one
// stands how it was made; the latest ten are kept, for reads of an earlier time.
// expects: m, stability_before
// params: $now
SET m.recalled_at = (coalesce(m.recalled_at, [m.created_at]) + $now)[-10..],
    m.stabilities = (coalesce(m.stabilities, [stability_before]) + m.stability)[-10..]
