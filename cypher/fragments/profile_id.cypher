// The id of what asks for a summary of the entity `e` in a scope: an expression. It says of what and where.
// expects: e
// takes: scope, persona, space
e.id + '|' + $$scope + '|' + $$persona + CASE $$space WHEN '' THEN '' ELSE '|' + $$space END
