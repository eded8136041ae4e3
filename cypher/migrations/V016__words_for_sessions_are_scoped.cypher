// A caller's word for a session is one's own for each chat and persona; it used to be the id of the session, for all
// chats. A session of before is still found by it, in its own chat, since an id names a session as a word does.
CREATE CONSTRAINT session_word_key IF NOT EXISTS FOR (s:Session) REQUIRE s.word_key IS UNIQUE;
