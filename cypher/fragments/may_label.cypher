// Whether the viewer may say how the memory `m` is shown, that it is certain, and pin it: its owner, its subjects and
// who stated it (P4).
// expects: m
// params: $viewer
WITH *, m.owner_id = $viewer OR m.speaker_id = $viewer OR EXISTS { (m)-[:ABOUT]->(:Person {id: $viewer}) } AS allowed
