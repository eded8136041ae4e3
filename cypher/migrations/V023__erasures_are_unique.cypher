// An erasure of a person is an item of the queue until it is done, and the record of it afterwards (M13).
CREATE CONSTRAINT erasure_id IF NOT EXISTS FOR (e:Erasure) REQUIRE e.id IS UNIQUE;
