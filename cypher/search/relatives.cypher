// Who is meant by what they are to somebody: from each of `owners` along the one or two steps of a row, each {predicate,
// outward}. A relation holds for whoever may see a memory that says so (M15).
// params: $rows
// returns: id
// mode: read

// include: viewpoint_of_request
UNWIND $rows AS row
UNWIND row.owners AS owner
MATCH (one:Entity {id: owner})
// include: related_step(from=one, to=near, step=row.steps[0])
UNWIND near AS two
// include: related_step(from=two, to=far, step=row.steps[1])
UNWIND CASE size(row.steps) WHEN 1 THEN [two] ELSE [two] + far END AS meant
RETURN DISTINCT meant.id AS id
