// The import that is not done yet.
// params: -
// returns: export
// mode: read
MATCH (l:Lock {name: 'import'})
RETURN l.export AS export
