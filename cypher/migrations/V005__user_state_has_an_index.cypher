// What there is to know of a person's state: one key through time, and all keys at one moment.

// One last value of a key, per person and persona: the property is there only while nothing follows it.
CREATE CONSTRAINT user_state_open_key IF NOT EXISTS FOR (s:UserState) REQUIRE s.open_key IS UNIQUE;
// One key of one person and persona through time: what a value follows and precedes, and its history page by page.
CREATE INDEX user_state_line_time IF NOT EXISTS FOR (s:UserState) ON (s.line, s.valid_from, s.id);
// What of a person has not ended by a moment, and what was not known by a moment to have ended.
CREATE INDEX user_state_valid_until IF NOT EXISTS FOR (s:UserState) ON (s.person_id, s.valid_until);
CREATE INDEX user_state_ended_at IF NOT EXISTS FOR (s:UserState) ON (s.person_id, s.ended_at);
