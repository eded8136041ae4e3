// Flags those of the memories `$ids` that may answer the question, as far as the viewer may see them. Memories without
// a flag are left out.
// `cued`: the memory holds what answers to such a question often hold. Its content matches the regular expression
// `$cues` (null: none does), or, with `$place`, it mentions an entity outside `$about` whose name was recognised there
// as that of a place, with at least the certainty `$sure`. `$about` are the entities that the question is about.
// `asked`: a fact of one of the frames `$frames`, which the question asks for, about one of `$about`.
// `of_another_kind`: a fact of another frame, if both `$frames` and `$about` are given.
// Java's word classes cover all scripts only with the flag U.
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
