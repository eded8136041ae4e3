// Records a recall of the memory `m` by its owner now, with the stability from now on. The first entry is the creation,
// with the stability before the recall. The latest ten entries are kept, for reads of an earlier time.
// expects: m, stability_before
// params: $now
SET m.recalled_at = (coalesce(m.recalled_at, [m.created_at]) + $now)[-10..],
    m.stabilities = (coalesce(m.stabilities, [stability_before]) + m.stability)[-10..]
