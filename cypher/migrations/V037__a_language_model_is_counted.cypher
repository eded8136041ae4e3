// What a language model is asked is counted by its use.
CREATE CONSTRAINT model_use_name IF NOT EXISTS FOR (u:ModelUse) REQUIRE u.name IS UNIQUE;
// Where it has still to do something is looked up.
CREATE INDEX session_owes IF NOT EXISTS FOR (s:Session) ON (s.owes);
