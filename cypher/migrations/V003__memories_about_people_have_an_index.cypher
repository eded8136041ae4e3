// What is known about a person across all owners (R12), newest first, page by page.
CREATE INDEX about_person_time IF NOT EXISTS FOR ()-[r:ABOUT]-() ON (r.person_id, r.event_time, r.memory_id);
