// Ends facts whose end in valid time was not known before (M14), then writes facts with their subjects, speaker, chat
// and evidence, and links them to facts that they supersede or contradict. The ends come first, so that no two facts
// of a key are live at any moment. A fact that outranks another is shown in its place to whoever may see both (W6).
// Shared copies of facts that end are retired. Facts that follow from evidence get the labels that it requires (M15).
// params: $ends, $rows, $job, $due_at, $now, $no_end
// returns: id
// mode: write
CALL () {
  UNWIND $ends AS row
  MATCH (m:Memory {id: row.id})
  SET m.valid_until = row.valid_until, m.ended_at = $now
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  // include: relation_times
  WITH collect(m) AS originals
  // include: taken_back(chat=null, act='')
  RETURN size(originals) AS ended
}
UNWIND $rows AS row
CREATE (m:Memory:$(row.label))
SET m = row.fact
// include: queued(node=m, job=$job, due_at=$due_at)
WITH m, row
CALL (m, row) {
  UNWIND row.about AS subject
  MATCH (e:Entity {id: subject.id})
  CREATE (m)-[:ABOUT {primary: subject.primary, name: subject.name, created_at: $now}]->(e)
}
CALL (m) {
  MATCH (speaker:Person {id: m.speaker_id})
  SET m.speaker_name = speaker.canonical_name
  CREATE (m)-[:STATED_BY {created_at: $now}]->(speaker)
}
CALL (m) {
  MATCH (c:Chat {id: m.learned_in})
  CREATE (m)-[:LEARNED_IN {created_at: $now}]->(c)
}
CALL (m, row) {
  UNWIND row.evidence AS id
  MATCH (episode:Memory {id: id})
  CREATE (m)-[:DERIVED_FROM {created_at: $now, weight: 1.0, confidence: m.confidence,
                             valid_from: $now, valid_until: $no_end, said: row.said, words: row.words,
                             least_sensitivity: row.least_sensitivity}]->(episode)
}
CALL (m, row) {
  UNWIND [id IN row.supersedes | [id, false]] + [id IN row.outranks | [id, true]] AS replaced
  MATCH (old:Memory {id: replaced[0]})
  CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: replaced[1],
                           valid_from: $now, valid_until: $no_end}]->(old)
  SET old.outranked = replaced[1] OR coalesce(old.outranked, false)
}
CALL (m, row) {
  UNWIND [id IN row.superseded_by | [id, false]] + [id IN row.outranked_by | [id, true]] AS replacing
  MATCH (newer:Memory {id: replacing[0]})
  CREATE (newer)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: replacing[1],
                               valid_from: $now, valid_until: $no_end}]->(m)
  SET m.outranked = replacing[1] OR coalesce(m.outranked, false)
}
CALL (m, row) {
  UNWIND row.contradicts AS id
  MATCH (other:Memory {id: id})
  CREATE (m)-[:CONTRADICTS {created_at: $now, weight: 1.0, confidence: 1.0,
                            valid_from: $now, valid_until: $no_end}]->(other)
}
// include: kept_in_confidence
// include: copy_to_about
// include: derived_labels
RETURN m.id AS id
