// A memory as it is known now, at a time when it held, where it belongs: what ended, or is yet to begin, is seen too.
// params: $id
// returns: memory, pending, entities
// mode: read

// include: seen_memory
// include: as_memory
