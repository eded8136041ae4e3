// Takes the lock of the migrations until `$until`, if it is free, and returns who holds it.
// params: $holder, $now, $until
// returns: holder
// mode: write
MERGE (l:__Neo4jMigrationsLock {id: 'hippograph'})
SET l.asked = $now
// `free` is computed before the SET changes what it depends on. A lock without an end was left behind.
WITH l, l.name IS NULL OR l.until IS NULL OR l.until < $now OR l.name = $holder AS free
SET l.name = CASE WHEN free THEN $holder ELSE l.name END, l.until = CASE WHEN free THEN $until ELSE l.until END
RETURN l.name AS holder
