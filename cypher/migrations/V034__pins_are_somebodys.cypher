// Who pinned a memory is noted, since a pin counts for them alone (P6). A pin of what is somebody's own is its owner's, who
// alone saw it lead their contexts. Who of a group pinned what is the group's nobody knows: that pin is nobody's. It
// keeps the memory as before, and leads nobody's cards and contexts until they pin it themselves.
MATCH (m:Memory) WHERE m.pinned
CALL (m) {
  SET m.pinned_by = CASE m.owner_id WHEN '' THEN [] ELSE [m.owner_id] END
} IN TRANSACTIONS OF 1000 ROWS;
