// The id of the latest value in the line of a state `n`, null for other nodes. An erasure that renames the values of a
// line, in the order of their ids, reads the same id for all of them, also if it is interrupted.
// expects: n
COLLECT {
  MATCH (value:UserState) USING INDEX SEEK value:UserState(line, valid_from, id)
  WHERE n:UserState AND value.line = n.line AND value.valid_from IS NOT NULL AND value.id IS NOT NULL
  RETURN value.id ORDER BY value.id DESC LIMIT 1
}[0] AS latest_of_line
