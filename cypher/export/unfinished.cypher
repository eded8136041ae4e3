// The export whose load is not complete.
// params: -
// returns: export
// mode: read
MATCH (l:Lock {name: 'import'})
RETURN l.export AS export
