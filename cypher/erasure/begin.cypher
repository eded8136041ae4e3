// Whose erasure it is, and how it is to be done; or that what it left was confirmed, with the names that then go.
// params: $erasure_id, $worker
// returns: ids, others_words, by_admin, confirmed, full, words
// mode: read

// include: held_erasure
RETURN erasure.ids AS ids, erasure.others_words AS others_words, erasure.by_admin AS by_admin,
       erasure:UndecidedErasure AS confirmed, erasure.full AS full, erasure.words AS words
