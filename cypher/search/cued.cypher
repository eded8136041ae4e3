// Which of the memories `$ids` hold words that answers to such a question often hold, as far as the viewer may see them:
// those that match the regular expression `$cues`.
// params: $ids, $cues
// returns: id
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.content =~ $cues
// include: visible
RETURN m.id AS id
