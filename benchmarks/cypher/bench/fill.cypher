// Fills a graph with memories, and whom they are about, at the speed of the database: for measuring how searches grow,
// and for worlds that no write path would make.
// params: $rows, $common
// returns: -
// mode: write
UNWIND $rows AS row
CREATE (m:Memory:Episodic)
SET m = $common, m += row.memory
WITH m, row.about AS about
CALL (m, about) {
  UNWIND range(0, size(about) - 1) AS place
  MATCH (p:Person {id: about[place]})
  CREATE (m)-[:ABOUT {primary: place = 0}]->(p)
}
// include: copy_to_about
