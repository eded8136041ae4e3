// Finds the node with an id, if the kind is the label.
// expects: row
// takes: label, kind, id, node
WITH * WHERE $$kind = '$$label'
MATCH ($$node:$$label {id: $$id})
RETURN $$node
