// The entities meant by a relation to somebody ("my sister"): from each of the `owners` of a row along its one or two
// `steps`, each {predicate, outward}. A relation holds for viewers who may see a memory that states it (M15).
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
