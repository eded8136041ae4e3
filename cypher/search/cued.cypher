// Which of the memories `$ids` may answer such a question, as far as the viewer may see them. `cued` are those that hold
// what answers to it often hold: words that match the regular expression `$cues` (null: none do), or with `$place` the name
// of a place that is not one of `$about`, whom and what the question names. `asked` are the facts of the frames that it
// asks for, `$frames`, about one of these.
// params: $ids, $cues, $place, $frames, $about
// returns: id, cued, asked
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WITH m, viewpoint,
     coalesce(m.content =~ $cues, false) OR ($place AND EXISTS { (m)-[:MENTIONS]->(e:Place) WHERE NOT e.id IN $about }) AS cued,
     coalesce(m.frame IN $frames, false) AND EXISTS { (m)-[:ABOUT]->(e:Entity) WHERE e.id IN $about } AS asked
WHERE cued OR asked
// include: visible
RETURN m.id AS id, cued, asked
