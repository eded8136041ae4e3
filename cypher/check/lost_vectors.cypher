// Memories without a complete vector of the answering model, and entities without sound keys, neither queued nor
// failed.
// params: -
// returns: found, examples
// mode: read
// slots: a, b

// include: missing_vectors
RETURN count(lost) AS found, collect(lost.id)[..5] AS examples
