// Whether turns of a session wait to be read, however many turns it has.
CREATE INDEX pending_session IF NOT EXISTS FOR (m:Pending) ON (m.session_id);
