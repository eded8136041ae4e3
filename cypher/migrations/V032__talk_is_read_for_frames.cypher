// Sessions that were read whole are read once more, for facts that fill frames: what is not found again is taken back,
// unless somebody confirmed, pinned or corrected it. A worker does it in the background.
MATCH (s:Session) WHERE s.consolidated_at IS NOT NULL AND NOT coalesce(s.by_model, false)
CALL (s) {
  SET s.unconsolidated = true
} IN TRANSACTIONS OF 1000 ROWS;
// What is shown of a fact is its content.
MATCH (m:Memory|Version) WHERE m.paraphrased IS NOT NULL
CALL (m) {
  REMOVE m.paraphrased
} IN TRANSACTIONS OF 1000 ROWS;
