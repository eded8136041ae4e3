// Under which sounds an entity is found is worked out another way: the slow path reads them all anew.
MATCH (e:Entity) WHERE e.sounds IS NOT NULL AND NOT e:Pending AND NOT e:Failed
CALL (e) { SET e:Pending, e.due_at = datetime(), e.attempts = 0 } IN TRANSACTIONS OF 10000 ROWS;
