// Memories without a vector of the answering model, and entities without sounds of their names, that no queue holds.
// params: -
// returns: found, examples
// mode: read
// slots: a, b

// include: missing_vectors
RETURN count(lost) AS found, collect(lost.id)[..5] AS examples
