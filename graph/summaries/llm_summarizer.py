"""Summaries in the words of a large language model: optional; if it fails, the local ones stay (S3–S5, T8).

The model gets the sources of a summary, and for talk also the local draft. Its sentences must rest on the sources. A
sentence is dropped if it names no source, if it has a name or a number that is in none of its sources, or if it repeats
another one. A section that loses all its sentences keeps those of the draft.
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
from hippograph.nlp.parsing.lexicon import lexicon
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
    """Writes summaries with a language model."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._of_talk = Question(Use.TALK_SUMMARIES, prompt(Use.TALK_SUMMARIES, **_BOUNDS), _Sections, _read_sections)
        self._of_entity = Question(
            Use.ENTITY_SUMMARIES, prompt(Use.ENTITY_SUMMARIES, **_BOUNDS), _Sentences, _read_sentences
        )

    async def rewrite(self, draft: Draft, sources: Sequence[TalkSource]) -> Draft:
        """Returns the draft in the model's words, as far as they rest on the draft's sources. Raises `LlmFailed`."""
        used = set(draft.sources)
        numbered = dict(enumerate((source for source in sources if source.id in used), start=1))
        data = {
            "sources": [{"number": number, "text": source.sentence} for number, source in numbered.items()],
            "draft": [{"section": each.section.value, "text": each.text} for each in draft.sentences],
        }
        [told] = await self._endpoint.ask(self._of_talk, [data])
        return replace(draft, sentences=_checked(draft, told, numbered))

    async def describe(self, name: str, sources: Sequence[Source]) -> list[Wording]:
        """Returns sentences about somebody or something that rest on the sources; may be empty. Raises `LlmFailed`."""
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
    """Returns the valid sentences of the answer, in the sections of the draft. A section without any keeps those of the
    draft; if the section `LATEST` gets too long, all do.
    """
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
    """Whether a sentence is valid: short enough, without secrets, with names and numbers only of its sources."""
    text = told.words
    if not text or len(text) > LONGEST_SENTENCE or not told.sources or not set(told.sources) <= set(sources):
        return False
    if redact(text)[0] != text:
        return False
    said = {word.casefold() for number in told.sources for word in _WORD.findall(sources[number])}
    return all(word.casefold() in said or _base(word) in said for word in _telling(text))


def _telling(text: str) -> Iterable[str]:
    """Yields the names and numbers of a sentence: words with a digit, and capitalised words. The first word counts only
    if it is a common given name.
    """
    for place, word in enumerate(_WORD.findall(text)):
        name = word[:1].isupper() and word != "I" and (place > 0 or _base(word) in lexicon().words["names"])
        if any(map(str.isdigit, word)) or name:
            yield word


def _base(word: str) -> str:
    """Returns a name in lower case, without a possessive ending."""
    return re.sub(r"['’]s$", "", word).casefold()
