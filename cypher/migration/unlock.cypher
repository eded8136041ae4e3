// Releases the lock of the migrations held by `$holder`.
// params: $holder
// returns: -
// mode: write
MATCH (l:__Neo4jMigrationsLock {id: 'hippograph', name: $holder})
DELETE l
