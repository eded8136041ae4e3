// Collects a `page` of nodes with the label $$label: the next `$limit` after a position, in the order of their ids.
// takes: label
// params: $position, $limit
CALL () {
  MATCH (node:$$label) WHERE node.id > $position
  RETURN node ORDER BY node.id LIMIT $limit
}
WITH collect(node) AS page
