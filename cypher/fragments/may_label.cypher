// Computes `allowed`: whether the viewer may label, confirm and pin the memory `m`. Its owner, its subjects and whoever
// stated it may (P4).
// expects: m
// params: $viewer
WITH *, m.owner_id = $viewer OR m.speaker_id = $viewer OR EXISTS { (m)-[:ABOUT]->(:Person {id: $viewer}) } AS allowed
