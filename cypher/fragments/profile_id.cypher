// The id of the request for a summary of the entity `e` in a scope: an expression. It names the entity, the scope, the
// persona and the space.
// expects: e
// takes: scope, persona, space
e.id + '|' + $$scope + '|' + $$persona + CASE $$space WHEN '' THEN '' ELSE '|' + $$space END
