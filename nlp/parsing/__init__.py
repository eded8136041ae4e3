"""From raw talk to clauses: spelling, sentences, words, grammar. What a clause means belongs to `nlp/extraction`."""
