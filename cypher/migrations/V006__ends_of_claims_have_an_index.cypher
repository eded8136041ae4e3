// What is said of one matter and still holds at some moment: a long history is not walked for it (W5, W6).
CREATE INDEX memory_claim_end IF NOT EXISTS FOR (m:Memory) ON (m.claim_key, m.valid_until);
DROP INDEX memory_claim_scope IF EXISTS;
