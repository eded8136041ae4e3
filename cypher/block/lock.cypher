// A block of the viewer, and the number of blocks for the persona. The lock on the person keeps others from changing
// their blocks.
// params: $viewer, $persona, $key, $now
// returns: persona_known, block, blocks
// mode: write
MATCH (p:Person {id: $viewer})
SET p.lock = $now
WITH p
OPTIONAL MATCH (persona:Persona {id: $persona})
OPTIONAL MATCH (b:Block {key: $key})
RETURN $persona = '' OR persona IS NOT NULL AS persona_known, b {.*} AS block,
       COUNT {
         MATCH (other:Block) USING INDEX SEEK other:Block(person_id, persona_id, name)
         WHERE other.person_id = $viewer AND other.persona_id = $persona AND other.name IS NOT NULL AND other.key IS NOT NULL
       } AS blocks
