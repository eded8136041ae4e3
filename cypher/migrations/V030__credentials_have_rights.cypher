// What a key may do is said right by right (P6). One that might act for others could do everything; it keeps acting for
// them and recording what anybody said, and administers nothing.
MATCH (c:Credential) WHERE c.admin IS NULL
CALL (c) {
  SET c.records = CASE WHEN size(c.acts_for) > 0 THEN ['*'] ELSE [] END, c.admin = false
} IN TRANSACTIONS OF 1000 ROWS;
