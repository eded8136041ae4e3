// Gives the properties of a node, a relationship or a map as an export has them: moments as text with all their digits
// (`times`), the others as they are (`values`), both as pairs. Of `$shown` only, where there is such a list, and without
// `$left_out`. An empty list is of any type, and is among the others.
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
