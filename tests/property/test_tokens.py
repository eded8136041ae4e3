"""Tokens and ids in Lucene's analyzers, on a real server: a search for one finds it and no other."""

import random

import pytest

from hippograph.api.service import Service
from hippograph.graph.ids import derived_id, new_id, token
from tests.neo4j_servers import driver_of

ANALYZERS = ["english", "russian", "german", "standard", "standard-folding", "standard-no-stop-words", "cjk"]
RANDOM_ONLY = ["french", "spanish", "italian", "portuguese", "dutch", "swedish", "arabic"]
"""Analyzers tested without `families`, since some of them merge doubled letters in any word. That confuses tokens of
families, which do not occur in practice, but no two random ids.
"""
MANY = 1_500


def families(chance: random.Random) -> set[str]:
    """Tokens that are easily confused: long common prefixes, endings that stemmers cut, numbers in many notations."""
    base = "".join(chance.choices("0123456789abcdef", k=31))
    found = {base[:-width] + "".join(chance.choices("0123456789abcdef", k=width)) for width in (1, 1, 2, 3, 30)}
    endings = ["ed", "de", "ce", "ea", "e", "ee", "ade", "ada", "eed", "fed", "bad", "add", "12e", "0x1f", "00", "1e1"]
    found |= {base[: 31 - len(ending)] + ending for ending in endings}
    # These are shorter than real tokens, to be safe: no tokenizer may split them, and no stemmer conflate them.
    found |= {f"{stem}{ending}" for stem in ("feed", "1", "12", "cafe", "0") for ending in endings}
    found |= {"0" * 31, "1" * 31, "f" * 31, "e" * 31, "12e", "1e", "0x", "d", "f", "1d", "1f"}
    return {f"{one}{digit}" for one in found for digit in (0, 5, 7)}


@pytest.mark.parametrize("analyzer", [*ANALYZERS, *RANDOM_ONLY])
async def test_a_token_finds_itself_alone(shared_service: Service, analyzer: str) -> None:
    """Among more than `MANY` ids and tokens, a full-text search for each finds exactly that one."""
    chance = random.Random(analyzer)
    tokens = {new_id() for _ in range(MANY // 3)} | {token("speaker", str(n)) for n in range(MANY // 3)}
    tokens |= {derived_id(analyzer, str(n)) for n in range(MANY // 3)}
    tokens |= families(chance) if analyzer in ANALYZERS else {new_id() for _ in range(100)}
    where, index = shared_service.connection, f"probe_{analyzer.replace('-', '_')}"
    async with driver_of(where) as driver:
        await driver.execute_query(
            f"CREATE FULLTEXT INDEX {index} FOR (p:Probe) ON EACH [p.tokens] "
            f"OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{analyzer}'}}}}"
        )
        try:
            rows = [{"token": one, "tokens": [one, f"companion{n}"]} for n, one in enumerate(sorted(tokens))]
            await driver.execute_query("UNWIND $rows AS row CREATE (p:Probe) SET p = row", rows=rows)
            await driver.execute_query("CALL db.awaitIndexes(60)")
            confused, _, _ = await driver.execute_query(
                "UNWIND $tokens AS wanted CALL (wanted) { "
                "  CALL db.index.fulltext.queryNodes($index, '+tokens:(' + wanted + ')^0') YIELD node "
                "  RETURN collect(node.token) AS found "
                "} WITH wanted, found WHERE found <> [wanted] RETURN wanted, found LIMIT 5",
                index=index,
                tokens=sorted(tokens),
            )
            assert len(tokens) > MANY
            assert [] == [record.data() for record in confused]
        finally:
            await driver.execute_query(f"DROP INDEX {index}")
            await driver.execute_query("MATCH (p:Probe) DETACH DELETE p")
