// The texts of the entity `e` as an erasure reads them: its names, and the texts of its relationships.
// expects: e
e.key AS key,
[key IN ['canonical_name', 'aliases', 'given_names'] WHERE e[key] IS NOT NULL | [key, e[key]]] AS texts,
COLLECT {
  MATCH (e)-[link:ABOUT|MENTIONS|RELATED_TO|MAY_BE|MERGED_INTO]-()
  WITH link, [key IN ['name', 'texts', 'predicate', 'reason', 'added'] WHERE link[key] IS NOT NULL | [key, link[key]]] AS said
  WHERE size(said) > 0
  RETURN [elementId(link), said]
} AS links
