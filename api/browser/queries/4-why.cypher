// Why something is so, up to four causes back: give a word of it in the next line
WITH '' AS word
MATCH why = (cause:Memory)-[:CAUSAL]->{1,4}(effect:Memory)
WHERE toLower(effect.content) CONTAINS toLower(word) AND NOT EXISTS { (effect)-[:CAUSAL]->() }
RETURN why, [m IN nodes(why) | m.content] AS because
ORDER BY length(why) DESC, effect.event_time DESC
LIMIT 25
