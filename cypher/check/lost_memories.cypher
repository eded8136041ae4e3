// Memories without a vector of the answering model that no queue holds.
// params: -
// returns: found, examples
// mode: read
// slots: a, b

// include: lost
RETURN count(m) AS found, collect(m.id)[..5] AS examples
