// Keeps of the values `s` of a person's state those that count as known at a moment (M14): recorded, and not retired.
// expects: s, known_at (fragment state_times)
WITH * WHERE s.created_at <= known_at AND s.retired_at > known_at
