// Compares the query vector with all portable memories about a person, once per row of `$$rows`, without the index.
// `$$lists` gets one list of {memory, nearness, person} per row. For people with few memories this is cheaper than a
// search for each.
// takes: rows, lists
// params: $vector, $limit
CALL () {
  UNWIND $$rows AS x_scan
  CALL (x_scan) {
    MATCH (:Person {id: x_scan.person_from})<-[scanned:ABOUT]-(told:Memory)
    WHERE scanned.portable = true AND scanned.embedding_$$slot IS NOT NULL
    // include: index_filters(m=scanned, row=x_scan)
    WITH told, scanned, vector.similarity.cosine(scanned.embedding_$$slot, $vector) AS nearness
    ORDER BY nearness DESC LIMIT $limit
    RETURN collect({memory: told, nearness: nearness, person: scanned.person_id}) AS hits
  }
  RETURN collect(hits) AS $$lists
}
