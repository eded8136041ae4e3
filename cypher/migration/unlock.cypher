// Gives the lock of the migrations back.
// params: $holder
// returns: -
// mode: write
MATCH (l:__Neo4jMigrationsLock {id: 'hippograph', name: $holder})
DELETE l
