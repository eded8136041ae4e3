// An API key `c` of the person `p`, as `graph.access.credentials` reads it.
// expects: c, p
c {.id, .name, .acts_for, .records, .speaks_as, .admin, .created_at,
    .expires_at, .revoked_at, account: p.user_id, person_id: p.id}
