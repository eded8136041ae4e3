// How large a memory `m` is reckoned to be, in bytes: a character counts as one, and embeddings by how many numbers they have
// and how many words (T7).
// expects: m
// params: $vector_bytes, $token_bytes, $token_characters
size(m.content) + $vector_bytes * (CASE WHEN m.embedding_model_a IS NULL THEN 0 ELSE 1 END
                                   + CASE WHEN m.embedding_model_b IS NULL THEN 0 ELSE 1 END)
+ $token_bytes * CASE WHEN m.embedding_tokens_a IS NULL AND m.embedding_tokens_b IS NULL THEN 0
                      WHEN size(m.content) < $token_characters THEN size(m.content) ELSE $token_characters END
+ ($vector_bytes + $token_bytes * $token_characters) * (coalesce(m.embedding_parts_a, 0) + coalesce(m.embedding_parts_b, 0))
