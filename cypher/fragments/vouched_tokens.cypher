// The name tokens of the node `one` of the person `p` for which somebody else than the person vouched (P6): an
// expression. For a node known from talk alone these are all its tokens, unless the person merged it themselves.
// expects: one, p
CASE WHEN one.given_names IS NULL AND one.user_id IS NULL
          AND NOT EXISTS { (one)-[own:MERGED_INTO]->() WHERE own.merged_by = p.id } THEN one.names
     ELSE coalesce(one.vouched, []) END
