// What waits: the work of each job, what it gave up and why, and what people have to do
MATCH (item:Pending|Failed)
RETURN item.job AS what, CASE WHEN item:Failed THEN 'given up' WHEN item.worker IS NULL THEN 'waits' ELSE 'is worked on' END AS how,
       count(*) AS items, min(item.due_at) AS first_due, collect(DISTINCT item.failure)[..3] AS reasons
UNION ALL
MATCH (t:Todo {status: 'open'})-[:OF]->(p:Person)
RETURN 'todo of ' + p.canonical_name AS what, t.kind AS how, count(*) AS items, min(t.due_at) AS first_due,
       collect(t.content)[..3] AS reasons
