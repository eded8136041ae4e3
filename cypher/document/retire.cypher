// Retires the pieces that a document no longer holds (W11), with what was found in them alone: those that the viewer
// imported into this session and whose keys are not in `$kept`. Their keys are changed, so that the same words can be
// imported again; a purge recognizes them by the part before the blank.
// params: $word_key, $import_id, $kept, $no_end
// returns: retired
// mode: write

// include: my_chats
CALL (my_chats) {
  MATCH (:Session {word_key: $word_key})<-[:IN_SESSION]-(m:Memory)
  WHERE m.import_id = $import_id AND m.retired_at = $no_end AND NOT m.idempotency_key IN $kept
  // include: may_change
  WITH m, allowed ORDER BY m.id WHERE allowed
  // include: lock_live
  SET m.idempotency_key = m.idempotency_key + ' ' + m.id
  RETURN collect(m) AS gone
}
// include: forgotten_with(act='')
RETURN size(gone) AS retired
