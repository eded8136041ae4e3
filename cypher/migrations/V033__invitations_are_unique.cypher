// Who is invited to a chat takes no part in it until they accept (P6).
CREATE CONSTRAINT invited_to_id IF NOT EXISTS FOR ()-[i:INVITED_TO]-() REQUIRE i.id IS UNIQUE;
