// Takes the lock of the migrations for a while, or tells who holds it.
// params: $holder, $now, $until
// returns: holder
// mode: write
MERGE (l:__Neo4jMigrationsLock {id: 'hippograph'})
SET l.asked = $now
WITH l
SET l.name = CASE WHEN l.name IS NULL OR l.until < $now OR l.name = $holder THEN $holder ELSE l.name END,
    l.until = CASE WHEN l.name = $holder THEN $until ELSE l.until END
RETURN l.name AS holder
