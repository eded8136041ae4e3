// Ends the loading of an export: the graph is whole.
// params: $export
// returns: -
// mode: write
MATCH (l:Lock {name: 'import', export: $export})
DELETE l
