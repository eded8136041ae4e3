// The tokens of the names of the node `one` of the person `p` that somebody else than the person vouched for (P6): of who
// is known from talk alone all, unless the person said by themselves that it is them.
// expects: one, p
CASE WHEN one.given_names IS NULL AND one.user_id IS NULL
          AND NOT EXISTS { (one)-[own:MERGED_INTO]->() WHERE own.merged_by = p.id } THEN one.names
     ELSE coalesce(one.vouched, []) END
