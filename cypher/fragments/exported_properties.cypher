// The properties of a node, a relationship or a map as an export has them, both as pairs: `times` are moments as
// strings with all their digits, `values` are the others unchanged. With `$shown` only those of that list, and none of
// `$left_out`. An empty list matches every type; it is among `values`.
// takes: of
// params: $shown, $left_out
[key IN keys($$of)
 WHERE $$of[key] IS NOT NULL AND ($shown IS NULL OR key IN $shown) AND NOT key IN $left_out
   AND ($$of[key] IS :: ZONED DATETIME OR $$of[key] IS :: LIST<ZONED DATETIME> AND $$of[key] <> [])
 | [key, CASE WHEN $$of[key] IS :: ZONED DATETIME THEN toString($$of[key])
              ELSE [moment IN $$of[key] | toString(moment)] END]] AS times,
[key IN keys($$of)
 WHERE $$of[key] IS NOT NULL AND ($shown IS NULL OR key IN $shown) AND NOT key IN $left_out
   AND NOT ($$of[key] IS :: ZONED DATETIME OR $$of[key] IS :: LIST<ZONED DATETIME> AND $$of[key] <> [])
 | [key, $$of[key]]] AS values
