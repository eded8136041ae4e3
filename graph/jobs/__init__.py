"""Work that is done later or on the whole graph: retries, the doctor, wiping. What a job does belongs elsewhere."""
