// Links the memory `$copy` of a group to the memory `$id` whose owner shared it. The copy is as private as the
// original (M15), is not portable, and is retired with it. Returns a row if the viewer sees the copy in the group.
// params: $id, $copy, $label_terms, $no_end
// returns: id
// mode: write
MATCH (original:Memory {id: $id})
MATCH (m:Memory {id: $copy})
CREATE (m)-[:DERIVED_FROM {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: $now, valid_until: $no_end,
                           said: [], quoted: false, least_sensitivity: 'public', shared: true}]->(original)
WITH m, null AS sensitivity, false AS portable
// include: set_labels
SET m.own_sensitivity = coalesce(m.own_sensitivity, m.sensitivity), m.own_portable = false
// include: derived_labels
WITH m
MATCH (c:Chat {id: m.chat_id})
// include: viewpoint_in_chat(persona='')
// include: at_any_time
// include: visible
RETURN m.id AS id
