// Computes `by_another`: whether the memory `m` holds the words of another person (P6), neither the viewer's nor a
// persona's, and is not owned by the viewer. A viewer who changes it makes a statement of their own.
// expects: m
// params: $viewer
WITH *, m.owner_id <> $viewer AND m.speaker_id <> $viewer AND EXISTS { (:Person {id: m.speaker_id}) } AS by_another
