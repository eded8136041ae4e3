// A person's names say which of them somebody else vouched for (P6): of those from before nobody knows. What an erasure
// left to be decided is found by its label (M13).
MATCH (p:Person) WHERE p.given_names IS NOT NULL AND p.vouched IS NULL
CALL (p) { SET p.vouched = [] } IN TRANSACTIONS OF 1000 ROWS;
CREATE INDEX undecided_erasure IF NOT EXISTS FOR (e:UndecidedErasure) ON (e.requested_at, e.id);
