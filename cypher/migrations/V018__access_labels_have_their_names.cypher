// Which access labels were inferred from the words, and which somebody set.
MATCH (m:Memory) WHERE m.guessed IS NOT NULL OR m.explicit_marks IS NOT NULL
CALL (m) {
  SET m.inferred_labels = coalesce(m.inferred_labels, m.guessed),
      m.explicit_labels = coalesce(m.explicit_labels, m.explicit_marks)
  REMOVE m.guessed, m.explicit_marks
} IN TRANSACTIONS OF 1000 ROWS;
