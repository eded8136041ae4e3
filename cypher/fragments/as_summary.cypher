// Converts the summary `m` of talk to what `graph.people.summaries` reads.
// expects: m
WITH *, m {.id, .summary_kind, .version, .content, .sections, .sentences, .sentence_sources, .people, .tone, .created_at,
           .until, .persona_id, .of_session, .sensitivity} AS summary
