"""Only those sentences of a language model's summary are accepted that rest on the sources."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from hippograph.graph.summaries.composing import Draft, SummarySection, SummarySentence, TalkSource
from hippograph.graph.summaries.entity_summaries import Source, Wording
from hippograph.graph.summaries.llm_summarizer import LlmSummarizer
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.llm.endpoint import Endpoint
from tests.llm_server import Server, Tally, says

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


def _source(number: int, content: str) -> TalkSource:
    return TalkSource(
        f"m{number}", content, "", "", "fact", "Maya", NOON, NOON, "public", 0.0, by_user=True, turn=True, importance=1
    )


SOURCES = [
    _source(1, "I moved to Graz on the 2nd, with Ana."),
    _source(2, "I will send Ben the report."),
    _source(3, "The soup was fine."),
]
DRAFT = Draft(
    (
        SummarySentence(SummarySection.ONE_LINER, SOURCES[0].sentence, ("m1",)),
        SummarySentence(SummarySection.WHAT_MATTERED, SOURCES[0].sentence, ("m1",)),
        SummarySentence(SummarySection.COMMITMENTS, SOURCES[1].sentence, ("m2",)),
    ),
    people=("p1",),
    tone="glad",
)


@pytest.fixture
async def summarizer(llm_server: Server) -> AsyncIterator[LlmSummarizer]:
    """A summarizer that calls the test's LLM server."""
    endpoint = Endpoint(
        f"http://127.0.0.1:{llm_server.port}/v1",
        "some-model",
        api_key=None,
        timeout_s=600,
        ledger=Tally(),
    )
    yield LlmSummarizer(endpoint)
    await endpoint.close()


def _told(section: str, text: str, *sources: int) -> dict[str, Any]:
    return {"section": section, "text": text, "sources": list(sources)}


async def test_what_rests_on_the_sources_is_taken(llm_server: Server, summarizer: LlmSummarizer) -> None:
    """Valid sentences replace those of the draft in the model's words, each thing once, with the ids of their sources.
    People and tone of the draft are kept, and only its sources are sent.
    """
    llm_server.answering = says(
        {
            "sentences": [
                _told("one_liner", "Maya has moved  to Graz with Ana.", 1),
                _told("one_liner", "A second one.", 1),
                _told("what_mattered", "She lives in Graz since the 2nd.", 1),
                _told("what_mattered", "Maya promised Ben's report", 2),
                _told("what_mattered", "She lives in Graz, since the 2nd!", 1),
                _told("commitments", "Maya promised Ben's report.", 2),
            ]
        }
    )
    draft = await summarizer.rewrite(DRAFT, SOURCES)
    assert [
        SummarySentence(SummarySection.ONE_LINER, "Maya has moved to Graz with Ana.", ("m1",)),
        SummarySentence(SummarySection.WHAT_MATTERED, "She lives in Graz since the 2nd.", ("m1",)),
        SummarySentence(SummarySection.COMMITMENTS, "Maya promised Ben's report.", ("m2",)),
    ] == list(draft.sentences)
    assert (("p1",), "glad") == (draft.people, draft.tone)
    assert ["1", "2"] == [
        str(source["number"]) for source in llm_server.data()["sources"]
    ]  # the soup is no source of the draft


@pytest.mark.parametrize(
    "sentence",
    [
        _told("commitments", "Maya will send Carla the report.", 2),  # Carla is in no source
        _told("commitments", "Carla will send Ben the report.", 2),
        _told("commitments", "Maya will send the report by the 7th.", 2),  # the day is in no source
        _told("commitments", "Maya will send Ben the report.", 1),  # the source says something else
        _told("commitments", "Maya will send Ben the report.", 3),
        _told("commitments", "Maya will send Ben the report."),
        _told("commitments", " ", 2),
        _told("commitments", "report " * 50, 2),
        _told("commitments", "Her password is swordfish.", 2),  # a secret, without any name or number
        _told("open_loops", "Maya will send Ben the report.", 2),  # a section that the draft does not have
    ],
)
async def test_what_does_not_is_dropped(
    llm_server: Server, summarizer: LlmSummarizer, sentence: dict[str, Any]
) -> None:
    """A sentence that does not rest on its sources is dropped, and the section keeps the draft's sentences."""
    llm_server.answering = says({"sentences": [sentence]})
    assert DRAFT.sentences == (await summarizer.rewrite(DRAFT, SOURCES)).sentences


@pytest.mark.parametrize("answer", [{}, {"sentences": "none"}, {"sentences": [{"text": "x"}]}, "no JSON"])
async def test_another_answer_is_a_failure(llm_server: Server, summarizer: LlmSummarizer, answer: object) -> None:
    """An answer of another shape raises `LlmFailed`; `TalkSummaries` keeps the local draft then."""
    llm_server.answering = says(answer)
    with pytest.raises(LlmFailed):
        await summarizer.rewrite(DRAFT, SOURCES)


KNOWN = [
    Source("f1", "Maya lives in Graz.", "personal", None, NOON),
    Source("f2", "Maya likes chess", "public", None, NOON),
    Source("f3", "Maya has a dog, Biscuit", "public", "Ben", NOON),
]


async def test_what_is_known_of_somebody_is_told_from_the_facts(llm_server: Server, summarizer: LlmSummarizer) -> None:
    """Each sentence comes with the ids of its facts. One with a name that is in none of them, with
    the number of a missing source, or that repeats another, is dropped.
    """
    llm_server.answering = says(
        {
            "sentences": [
                {"text": "Maya lives in Graz and likes chess.", "sources": [1, 2]},
                {"text": "Maya likes chess and lives in Graz!", "sources": [1, 2]},
                {"text": "She has a cat, Tiger.", "sources": [3]},
                {"text": "Biscuit is her dog.", "sources": [3]},
                {"text": "She has a dog.", "sources": [9]},
            ]
        }
    )
    assert [
        Wording("Maya lives in Graz and likes chess.", ("f1", "f2")),
        Wording("Biscuit is her dog.", ("f3",)),
    ] == await summarizer.describe("maya lindqvist", KNOWN)
    assert ("maya lindqvist", "Ben: Maya has a dog, Biscuit.") == (
        llm_server.data()["about"],
        llm_server.data()["sources"][2]["text"],
    )
