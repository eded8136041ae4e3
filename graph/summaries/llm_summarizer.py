"""Summaries as a large language model words them: an option over the local ones, which stay where it fails (S3–S5, T8).

The model is given what a summary can be made of, of talk with the sentences of the local draft, and words it. What it
says has to rest on that: a sentence that names no source, or holds a name or a number that is in none of its sources,
is dropped, as is one that says what another says, and a section of which nothing is left is as it was.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from hippograph.graph.summaries.composing import (
    LONGEST_SENTENCE,
    MOST_CHARACTERS,
    MOST_SENTENCES,
    Draft,
    SummarySection,
    SummarySentence,
    TalkSource,
    in_one_section,
    said_once,
)
from hippograph.graph.summaries.entity_summaries import Source, Wording
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.llm.endpoint import Endpoint, Question
from hippograph.nlp.llm.uses import Use, prompt
from hippograph.nlp.privacy.secrets import redact

_BOUNDS: Final = {"longest": str(LONGEST_SENTENCE), "most": str(MOST_SENTENCES)}
_WORD: Final = re.compile(r"\w+(?:[-'’]\w+)*")

Form = TypeVar("Form", bound=BaseModel)


class _Sentence(BaseModel):
    model_config = ConfigDict(strict=True)

    text: str
    sources: list[int]

    @property
    def words(self) -> str:
        """The sentence in one line."""
        return " ".join(self.text.split())


class _Sentences(BaseModel):
    model_config = ConfigDict(strict=True)

    sentences: list[_Sentence]


class _SectionSentence(_Sentence):
    section: str


class _Sections(BaseModel):
    model_config = ConfigDict(strict=True)

    sentences: list[_SectionSentence]


class LlmSummarizer:
    """Words summaries by a language model."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._of_talk = Question(Use.TALK_SUMMARIES, prompt(Use.TALK_SUMMARIES, **_BOUNDS), _Sections, _read_sections)
        self._of_entity = Question(
            Use.ENTITY_SUMMARIES, prompt(Use.ENTITY_SUMMARIES, **_BOUNDS), _Sentences, _read_sentences
        )

    async def rewrite(self, draft: Draft, sources: Sequence[TalkSource]) -> Draft:
        """The draft in the model's words, as far as they rest on the sources of the draft. Raises `LlmFailed`."""
        used = set(draft.sources)
        numbered = dict(enumerate((source for source in sources if source.id in used), start=1))
        data = {
            "sources": [{"number": number, "text": source.sentence} for number, source in numbered.items()],
            "draft": [{"section": each.section.value, "text": each.text} for each in draft.sentences],
        }
        [told] = await self._endpoint.ask(self._of_talk, [data])
        return replace(draft, sentences=_checked(draft, told, numbered))

    async def describe(self, name: str, sources: Sequence[Source]) -> list[Wording]:
        """Sentences on somebody or something that rest on sources; maybe none. Raises `LlmFailed`."""
        numbered = dict(enumerate(sources, start=1))
        texts = {number: source.sentence for number, source in numbered.items()}
        data = {
            "about": name,
            "sources": [
                {"number": number, "day": f"{source.since:%Y-%m-%d}", "text": source.sentence}
                for number, source in numbered.items()
            ],
        }
        [told] = await self._endpoint.ask(self._of_entity, [data])
        held = [each for each in told if _holds(each, texts)]
        once = said_once([each.words for each in held])
        return [
            Wording(each.words, tuple(numbered[number].id for number in dict.fromkeys(each.sources)))
            for each, first in zip(held, once, strict=True)
            if first
        ]


def _read_sections(answer: dict[str, Any]) -> list[_SectionSentence]:
    return _read(_Sections, answer).sentences


def _read_sentences(answer: dict[str, Any]) -> list[_Sentence]:
    return _read(_Sentences, answer).sentences


def _read(form: type[Form], answer: dict[str, Any]) -> Form:
    try:
        return form.model_validate(answer)
    except ValidationError as error:
        raise LlmFailed("wrong shape") from error


def _checked(
    draft: Draft, told: Sequence[_SectionSentence], sources: Mapping[int, TalkSource]
) -> tuple[SummarySentence, ...]:
    """What of the answer holds, in the sections of the draft; of a section of which nothing does, the draft."""
    texts = {number: source.sentence for number, source in sources.items()}
    sentences: list[SummarySentence] = []
    for section in dict.fromkeys(each.section for each in draft.sentences):
        own = [each for each in draft.sentences if each.section is section]
        most = 1 if section is SummarySection.ONE_LINER else MOST_SENTENCES
        held = [_sentence(each, section, sources) for each in told if each.section == section and _holds(each, texts)]
        sentences += held[:most] or own
    whole = sum(len(each.text) + 1 for each in sentences if each.section is SummarySection.LATEST)
    return in_one_section(sentences) if whole <= MOST_CHARACTERS else draft.sentences


def _sentence(told: _Sentence, section: SummarySection, sources: Mapping[int, TalkSource]) -> SummarySentence:
    ids = dict.fromkeys(source for number in told.sources for source in sources[number].sources)
    return SummarySentence(section, told.words, tuple(ids))


def _holds(told: _Sentence, sources: Mapping[int, str]) -> bool:
    """Whether a sentence can be taken: of the right length, without secrets, and with no name or number of its own."""
    text = told.words
    if not text or len(text) > LONGEST_SENTENCE or not told.sources or not set(told.sources) <= set(sources):
        return False
    if redact(text)[0] != text:
        return False
    said = {word.casefold() for number in told.sources for word in _WORD.findall(sources[number])}
    return all(word.casefold() in said or _base(word) in said for word in _telling(text))


def _telling(text: str) -> Iterable[str]:
    """The words of a sentence that are names or numbers: capitalised behind the first, or with a digit."""
    for place, word in enumerate(_WORD.findall(text)):
        if any(map(str.isdigit, word)) or (place and word[:1].isupper() and word != "I"):
            yield word


def _base(word: str) -> str:
    """A name without its possessive ending."""
    return re.sub(r"['’]s$", "", word).casefold()
