// Names are shown to those who see a memory that says them: each mention keeps the words by which its text names one.
// Those of before get the longest name of the entity that is in the text, or none.
MATCH (m:Memory)-[mention:MENTIONS]->(e) WHERE mention.texts IS NULL
CALL (m, mention, e) {
  SET mention.texts = COLLECT {
    UNWIND [e.canonical_name] + e.aliases + [''] AS text
    WITH text WHERE toLower(m.content) CONTAINS toLower(text)
    RETURN text ORDER BY size(text) DESC LIMIT 1
  }
} IN TRANSACTIONS OF 1000 ROWS;
MATCH (m:Memory)-[about:ABOUT]->(e) WHERE about.name IS NULL
CALL (m, about, e) {
  SET about.name = COLLECT {
    UNWIND [e.canonical_name] + e.aliases + [''] AS text
    WITH text WHERE toLower(m.content) CONTAINS toLower(text)
    RETURN text ORDER BY size(text) DESC LIMIT 1
  }[0]
} IN TRANSACTIONS OF 1000 ROWS;
