// Keeps the values `s` of a person's state that are known at the time `known_at` (M14): recorded and not retired.
// expects: s, known_at (fragment state_times)
WITH * WHERE s.created_at <= known_at AND s.retired_at > known_at
