// How beliefs changed, what stands in the place of what: give a part of a name in the next line
WITH '' AS name
MATCH (e:Entity)<-[:ABOUT {primary: true}]-(last:Memory)
WHERE e.canonical_name CONTAINS name AND NOT EXISTS { (last)<-[:SUPERSEDES]-() }
MATCH chain = (last)-[:SUPERSEDES]->{1,10}(first:Memory)
WHERE NOT EXISTS { (first)-[:SUPERSEDES]->() }
RETURN chain,
       [m IN reverse(nodes(chain)) | m.content + ' (' + toString(date(m.valid_from)) +
         CASE WHEN m.retired_by IS NULL THEN '' ELSE ', ' + m.retired_by END + ')'] AS believed
ORDER BY last.created_at DESC, last.id
LIMIT 25
