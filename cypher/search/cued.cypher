// Which of the memories `$ids` may answer such a question, as far as the viewer may see them. `cued` are those that
// hold what answers to it often hold: words that match the regular expression `$cues` (null: none do), or with `$place`
// a name that was read there as that of a place, as surely as `$sure`, and is not one of `$about`, whom and what the
// question is about. `asked` are the facts of the frames that it asks for, `$frames`, about one of these; those of
// other frames are `of_another_kind`, where it names whom it asks about. Java's words are those of any script with the
// flag U alone.
// params: $ids, $cues, $place, $sure, $frames, $about
// returns: id, cued, asked, of_another_kind
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WITH m, viewpoint,
     coalesce(m.content =~ ('(?U)' + $cues), false) OR ($place AND EXISTS {
       (m)-[named:MENTIONS]->(e:Entity) WHERE NOT e.id IN $about
         AND any(at IN range(0, size(coalesce(named.types, [])) - 1) WHERE named.types[at] = 'place' AND named.certainties[at] >= $sure)
     }) AS cued,
     coalesce(m.frame IN $frames, false) AND EXISTS { (m)-[:ABOUT]->(e:Entity) WHERE e.id IN $about } AS asked,
     size($frames) > 0 AND size($about) > 0 AND NOT coalesce(m.frame IN $frames, true) AS of_another_kind
WHERE cued OR asked OR of_another_kind
// include: visible
RETURN m.id AS id, cued, asked, of_another_kind
