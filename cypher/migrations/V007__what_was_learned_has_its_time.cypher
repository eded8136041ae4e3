// When what a memory says was told: who took part in the chat then may hear it in private (P2). A memory that is derived
// or told anew is recorded later than that.
MATCH (m:Memory) WHERE m.learned_at IS NULL
CALL (m) { SET m.learned_at = m.created_at } IN TRANSACTIONS OF 10000 ROWS;
