// The filters of a search and the two times of a read, for use inside a vector index. `$$m` is what is searched, a
// memory or a relationship that carries its labels; `$$row` has the bounds. No other place names them.
// expects: $$m, $$row
// takes: m, row
// params: $earliest, $latest, $as_of, $known_at
AND $$m.persona_id >= $$row.persona_from AND $$m.persona_id <= $$row.persona_to
AND $$m.space_id >= $$row.space_from AND $$m.space_id <= $$row.space_to
AND $$m.created_at <= $known_at AND $$m.retired_at > $known_at AND $$m.expires_at > $known_at
AND $$m.valid_from <= $as_of AND $$m.valid_until > $$row.valid_after AND $$m.ended_at > $$row.ended_after
AND $$m.event_until >= $earliest AND $$m.event_time < $latest
AND $$m.type >= $$row.type_from AND $$m.type <= $$row.type_to
AND $$m.kind >= $$row.kind_from AND $$m.kind <= $$row.kind_to
AND $$m.category >= $$row.category_from AND $$m.category <= $$row.category_to
AND $$m.source >= $$row.source_from AND $$m.source <= $$row.source_to
AND $$m.status >= $$row.status_from AND $$m.status <= $$row.status_to
AND $$m.sensitivity >= $$row.sensitivity_from AND $$m.sensitivity <= $$row.sensitivity_to
