// Ends the load of an export: the graph is complete.
// params: $export
// returns: -
// mode: write
MATCH (l:Lock {name: 'import', export: $export})
DELETE l
