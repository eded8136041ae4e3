// Memories in the order of their recording, for the feed that subscriptions read.
CREATE INDEX memory_created IF NOT EXISTS FOR (m:Memory) ON (m.created_at, m.id);
