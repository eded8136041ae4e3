// The estimated size of a memory `m` in bytes (T7): one per character, and those of its vectors and token vectors, also
// for its parts. An expression.
// expects: m
// params: $vector_bytes, $token_bytes, $token_characters
size(m.content) + $vector_bytes * (CASE WHEN m.embedding_model_a IS NULL THEN 0 ELSE 1 END
                                   + CASE WHEN m.embedding_model_b IS NULL THEN 0 ELSE 1 END)
+ $token_bytes * CASE WHEN m.embedding_tokens_a IS NULL AND m.embedding_tokens_b IS NULL THEN 0
                      WHEN size(m.content) < $token_characters THEN size(m.content) ELSE $token_characters END
+ ($vector_bytes + $token_bytes * $token_characters) * (coalesce(m.embedding_parts_a, 0) + coalesce(m.embedding_parts_b, 0))
