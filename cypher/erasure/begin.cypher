// What an erasure that a worker holds is to erase and how; or, if its plan was `confirmed`, the names to remove.
// params: $erasure_id, $worker
// returns: ids, others_words, by_admin, confirmed, full, words
// mode: read

// include: held_erasure
RETURN erasure.ids AS ids, erasure.others_words AS others_words, erasure.by_admin AS by_admin,
       erasure:UndecidedErasure AS confirmed, erasure.full AS full, erasure.words AS words
