"""Token vectors, from which text can be read back: they are created and removed together with the text."""

import base64
from typing import Any

from hippograph.graph.model import INTERNAL, Viewer
from hippograph.graph.retrieval.fusion import LATE_INTERACTION
from hippograph.graph.writing.fact import Fact

_TOKENS = "MATCH (m:Memory {id: $id}) RETURN m.embedding_tokens_a AS a, m.embedding_tokens_b AS b"


async def remember(scene: Any, content: str, **more: Any) -> str:
    """Stores a fact of Maya's, and returns the id of its memory."""
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id), [Fact(content, **more)])
    return str(stored.memory_id)


async def test_a_search_compares_the_words_of_what_it_found(scene, drain, raw) -> None:
    """A turn has token vectors of 48 bytes per token. Their comparison raises the score of a match and lowers that of
    another result.
    """
    turn = await scene.say("The ferry to Split leaves at nine.")
    await scene.say("Nobody has seen the cat since Tuesday.", at=scene.minutes(1))
    await drain()
    [row] = await raw(_TOKENS, id=turn.memory_id)
    assert row["b"] is None
    assert len(base64.b64decode(row["a"])) % 48 == 0
    page = await scene.service.search.search(scene.viewer(), "When does the boat go?")
    parts = {result.memory.id: result.parts[LATE_INTERACTION] for result in page.results}
    assert parts[turn.memory_id] > 0 > min(parts.values())


async def test_words_take_their_token_vectors_along(scene, drain, raw) -> None:
    """A corrected or updated fact has no token vectors at first, and then new ones, different from those before."""
    fact = await remember(scene, "Maya lives in Trieste", aspect="lives_in")
    await drain()
    [before] = await raw(_TOKENS, id=fact)
    assert before["a"]
    new = await scene.service.facts.correct(Viewer(scene.maya.id), fact, "Maya lives in Graz")
    assert [{"a": None, "b": None}] == await raw(_TOKENS, id=new)
    await drain()
    [after] = await raw(_TOKENS, id=new)
    assert after["a"] not in (None, before["a"])
    await scene.service.facts.update(Viewer(scene.maya.id), new, "Maya lives in Graz, by the river")
    assert [{"a": None, "b": None}] == await raw(_TOKENS, id=new)
    await drain()
    [worded] = await raw(_TOKENS, id=new)
    assert worded["a"] not in (None, after["a"])


async def test_erasing_somebody_takes_the_token_vectors_of_their_name(scene, drain, raw) -> None:
    """When a person is erased, the turns of others are kept without the name, and get new token vectors."""
    her = await scene.service.people.create_person(INTERNAL, "Wilhelmina Quast")
    turn = await scene.say("Wilhelmina Quast left her umbrella in the tram.")
    await drain()
    [before] = await raw(_TOKENS, id=turn.memory_id)
    await scene.service.erasures.erase(INTERNAL, her.id, others_words=False)
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.content AS content", id=turn.memory_id)
    assert "Wilhelmina" not in row["content"]
    await drain()
    [after] = await raw(_TOKENS, id=turn.memory_id)
    assert after["a"] not in (None, before["a"])


async def test_an_older_graph_gets_them_in_the_background(scene, drain, raw) -> None:
    """A memory without token vectors is found by searches, reported by the doctor, and embedded again once queued."""
    turn = await scene.say("The ferry to Split leaves at nine.")
    await drain()
    [before] = await raw(_TOKENS, id=turn.memory_id)
    await raw("MATCH (m:Memory) SET m.embedding_tokens_a = null")
    page = await scene.service.search.search(scene.viewer(), "When does the boat go?")
    assert [turn.memory_id] == [result.memory.id for result in page.results]
    [finding] = await scene.service.doctor.examine()
    assert 1 == finding.count
    assert 1 == await scene.service.enrichment.requeue_lost()
    await drain()
    assert [before] == await raw(_TOKENS, id=turn.memory_id)


async def test_an_export_of_a_person_has_none(scene, drain) -> None:
    """The export of a person contains their texts, but no vectors of a model."""
    await remember(scene, "Maya lives in Trieste", aspect="lives_in")
    await drain()
    exported = await scene.service.person_export.export(Viewer(scene.maya.id), scene.maya.id)
    assert "Trieste" in str(exported)
    assert "embedding" not in str(exported)
