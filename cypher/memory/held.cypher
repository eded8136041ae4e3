// A memory as known now, at a time when it held, where the viewer sees most of it. One that has ended or is yet to
// begin is found too.
// params: $id
// returns: memory, pending, entities
// mode: read

// include: seen_memory
// include: as_memory
