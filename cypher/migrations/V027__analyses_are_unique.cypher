// Analyses of a scope are found by their ids, as every other node is.
CREATE CONSTRAINT graph_analysis_id IF NOT EXISTS FOR (a:GraphAnalysis) REQUIRE a.id IS UNIQUE;
