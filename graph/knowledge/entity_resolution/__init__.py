"""Which person or thing a name means: linking names to entities, and settling what two of them are to each other."""
