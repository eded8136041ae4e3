"""The time of each recogniser grows about linearly with the length of a text, also for hostile texts."""

import gc
import json
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Final

import pytest

from benchmarks.hostile_texts import HOSTILE, repeated
from hippograph import nlp
from hippograph.graph.checks import MAX_NAME
from hippograph.graph.retrieval.filters import title_slug
from hippograph.graph.transfer import formats
from hippograph.graph.transfer.exports.graph_pages import escaped
from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.detection import read_export
from hippograph.graph.transfer.formats.reading import Format, ReadOptions
from hippograph.nlp.attachments import attachments_in, mark_of, own_words
from hippograph.nlp.dates import dated
from hippograph.nlp.embedding.token_count import reckoned_tokens
from hippograph.nlp.emotion import intensity, tone
from hippograph.nlp.extraction.answered_causes import Uttered, answered_causes
from hippograph.nlp.extraction.assertion import asks_for_invention
from hippograph.nlp.extraction.causes import causes
from hippograph.nlp.extraction.quoting import LONGEST_QUOTATION, Quoting
from hippograph.nlp.extraction.statements import Said
from hippograph.nlp.extraction.todos import find_completions, find_deed, find_todos, is_over_with_its_day
from hippograph.nlp.frames.frame import asked_frames
from hippograph.nlp.llm.frame_reading import FrameReading
from hippograph.nlp.names.blocking.index import BlockingIndex
from hippograph.nlp.names.hangul import romanised
from hippograph.nlp.names.matching.matcher import likeness
from hippograph.nlp.parsing.english import is_english
from hippograph.nlp.parsing.spelling import handles_of, known_names, spelled
from hippograph.nlp.privacy.confidences import told_in_confidence
from hippograph.nlp.privacy.name_removal import names_pattern, without_names
from hippograph.nlp.privacy.secrets import redact
from hippograph.nlp.privacy.sensitivity import guess_portable, guess_sensitivity
from hippograph.nlp.questions.answer_cues import answer_cues
from hippograph.nlp.questions.complexity import is_complex
from hippograph.nlp.questions.coverage import content_words, covered, stems
from hippograph.nlp.questions.events import find_event
from hippograph.nlp.questions.intent import Intent, by_keywords, language_of
from hippograph.nlp.questions.periods import find_period
from hippograph.nlp.questions.relatives import find_relatives
from hippograph.nlp.splitting import split_text
from hippograph.nlp.statement_kinds import kind_of
from hippograph.nlp.text import (
    called_in,
    check_text,
    decisive_words,
    full_text_words,
    in_first_person,
    names_in,
    normalise,
    slug,
)

LONGEST: Final = 32_000
SIZES: Final = [LONGEST // 16, LONGEST // 4, LONGEST]
MOST_PER_DOUBLING: Final = 2.5
MOST_OF_PROSE: Final = 20
SHORT: Final = 1.5
"""Minimum cost, as a multiple of the time of `normalise` for the longest prose; below it, ratios are noise."""
NOW: Final = datetime(2026, 9, 23, 18, 30, tzinfo=UTC)

PROSE: Final = """We had to push the Soča trip back because Lindenhof put me on nights that first weekend. My sister
Lena said it's fine, and I'll send her the new dates on Friday.

- When did Jonas adopt Biscuit?
"""
PLAIN: Final = {"Markdown": "- Biscuit\n"}
"""Units of plain text for recognisers that do not read prose: in a Markdown file each list item is a memory."""


SECRETS: Final = (
    "the password is hunter2, seed phrase: a; enter 4821, AKIA0000, -----BEGIN PRIVATE KEY----- 1 https://a"
)
"""A text with what the detectors of secrets look for."""


def _export(name: str, text: str, folder: Path, given: Format | None = None) -> object:
    path = folder / name
    path.write_text(text, "utf-8")
    return read_export(path, ReadOptions(NOW, UTC), given)


def _slack(text: str, folder: Path) -> object:
    workspace = folder / "workspace"
    (workspace / "general").mkdir(parents=True, exist_ok=True)
    (workspace / "users.json").write_text(json.dumps([{"id": "U1", "name": "ada"}]))
    message = {"type": "message", "user": "U1", "ts": "1758650000.1", "text": text}
    (workspace / "general" / "2025-09-23.json").write_text(json.dumps([message]))
    return read_export(workspace, ReadOptions(NOW, UTC))


def _chatgpt(text: str, folder: Path) -> object:
    content = {"content_type": "text", "parts": [text]}
    node = {"message": {"id": "1", "author": {"role": "user"}, "create_time": 1758650000, "content": content}}
    return _export("conversations.json", json.dumps([{"id": "c", "mapping": {"1": node}}]), folder)


def _quoted(text: str) -> str:
    quoting = Quoting(text, spelled(text))
    return "".join(quoting.sentence(at, at + 1) for at in range(0, len(text), 1000))


def _filled(text: str) -> object:
    """Reads a frame that a language model returned for this text, with parts of the text in all its fields."""
    reading = FrameReading([Said("Ada", NOW, text), Said("Ada", NOW, text)], ["Ada"])
    first, last = text[:LONGEST_QUOTATION], text[-LONGEST_QUOTATION:]
    slots = {"place": {"words": first, "type": "Place"}, "since": {"words": first, "date": text}}
    filling = {"frame": "home", "turn": 1, "quotation": last, "about": {"name": text, "type": "Person"}, "slots": slots}
    reading.take([{**filling, "time": "past", "confidence": 1.0}], range(2))
    return reading.extracted


def _compared(name: str) -> object:
    others = [likeness(name, ("Ada Byron", "Kim Min-su", name), kind) for kind in ("person", "tool")]
    return others, likeness("Ada Byron", (name,), "person"), romanised(name)


def _indexed(name: str) -> object:
    index = BlockingIndex("person")
    index.add("1", [name, "Ada Byron"], [])
    return index.candidates(name, by_sound=True)


RECOGNISERS: Final[dict[str, Callable[[str, Path], object]]] = {
    "secrets": lambda text, _: redact(text, identifiers=True),
    "sensitivity": lambda text, _: guess_sensitivity(text),
    "portable": lambda text, _: guess_portable(text),
    "confidence": lambda text, _: told_in_confidence(text),
    "kind": lambda text, _: kind_of(text),
    "check": lambda text, _: check_text(f"a{text}", limit=2 * LONGEST),
    "normalise": lambda text, _: normalise(text),
    "slug": lambda text, _: slug(text),
    "title": lambda text, _: title_slug(text),
    "words": lambda text, _: full_text_words(text),
    "names in": lambda text, _: names_in(text),
    "called": lambda text, _: called_in(text),
    "first person": lambda text, _: in_first_person(text),
    "decisive words": lambda text, _: decisive_words(text),
    "coverage by a text": lambda text, _: covered(content_words(PROSE), stems(content_words(text))),
    "coverage of a question": lambda text, _: covered(content_words(text), stems(content_words(PROSE))),
    "complexity": lambda text, _: is_complex(text, 0),
    "intent": lambda text, _: (by_keywords(text), language_of(text)),
    "period": lambda text, _: find_period(text, NOW),
    "event": lambda text, _: find_event(text),
    "relatives": lambda text, _: find_relatives(text),
    "what answers hold": lambda text, _: answer_cues(Intent.WHAT, text),
    "frames that are asked for": lambda text, _: asked_frames(text),
    "date": lambda text, _: dated(text, NOW, past=True),
    "emotion": lambda text, _: intensity(text),
    "tone": lambda text, _: tone([text]),
    "todos": lambda text, _: (
        find_todos(text, NOW),
        find_completions(text),
        find_deed(text),
        is_over_with_its_day(text),
    ),
    "invention": lambda text, _: asks_for_invention(text),
    "causes": lambda text, _: causes([Said(text, NOW, "Ada"), Said(text, NOW, "Bo")]),
    "answered causes": lambda text, _: answered_causes([Uttered(f"Why so? {text}", "Ada"), Uttered(text, "Bo")]),
    "frames of a model": lambda text, _: _filled(text),
    "spelling": lambda text, _: spelled(text, ["Lena"], handles_of(["Lena Aho"])),
    "known names": lambda text, _: known_names([text]),
    "quotation": lambda text, _: _quoted(text),
    "English": lambda text, _: is_english(text),
    "attachments": lambda text, _: (attachments_in(text, [""] * 20), own_words(text), mark_of(text, len(text))),
    "splitting": lambda text, _: split_text(text, 240),
    "tokens": lambda text, _: reckoned_tokens(text),
    "removal of names": lambda text, _: without_names(names_pattern(["Ada Byron", "Bo"], ["D’Arcy"]), text),
    "likeness": lambda text, _: _compared(text[:MAX_NAME]),
    "blocking": lambda text, _: _indexed(text[:MAX_NAME]),
    "words for a page": lambda text, _: escaped(text),
    "Slack": _slack,
    "ChatGPT": _chatgpt,
    "Markdown": lambda text, folder: _export("MEMORY.md", text, folder),
    "documents": lambda text, folder: _export("notes.txt", text, folder, Format.DOCUMENTS),
    # The doubled text is too long for a caption at any size, so it is searched for secrets before it is cut.
    "attachments of exports": lambda text, _: attached(text[:MAX_NAME], caption=2 * text, text=text, address=text),
    "WhatsApp": lambda text, folder: _export("_chat.txt", f"[1/2/26, 10:00] Ada: {text}", folder, Format.WHATSAPP),
}


def _cost(recognise: Callable[[str, Path], object], text: str, folder: Path, times: int = 1) -> float:
    """Returns the minimum thread time of some runs of a recogniser on a text, in seconds."""
    return min(_once(recognise, text, folder) for _ in range(times))


def _once(recognise: Callable[[str, Path], object], text: str, folder: Path) -> float:
    gc.disable()
    begun = time.thread_time()
    recognise(text, folder)
    taken = time.thread_time() - begun
    gc.enable()
    return taken


@pytest.mark.parametrize("name", RECOGNISERS)
def test_no_text_costs_more_than_its_length_allows(name: str, tmp_path: Path) -> None:
    """Doubling a hostile text multiplies its cost by at most 2.5; the longest costs at most 20 times prose."""
    recognise, prose = RECOGNISERS[name], repeated(PROSE, LONGEST)
    recognise(prose, tmp_path)  # warm-up: loads data that is loaded on first use
    short = SHORT * _cost(RECOGNISERS["normalise"], prose, tmp_path, 5)
    plain = max(_cost(recognise, repeated(PLAIN.get(name, PROSE), LONGEST), tmp_path, 5), short)
    found = [_excess(recognise, unit, tmp_path, plain, short) for unit in HOSTILE]
    assert [each for each in found if each] == []


def _excess(recognise: Callable[[str, Path], object], unit: str, folder: Path, plain: float, short: float) -> str:
    """Describes by how much a hostile text exceeds the limits; "" if it does not, or if it costs no more than plain
    text. A cost above the limits is measured again, up to 24 times.
    """
    texts = [repeated(unit, size) for size in SIZES]
    if (longest := _cost(recognise, texts[-1], folder)) <= plain:
        return ""
    growths = [_growth([*(_once(recognise, text, folder) for text in texts[:-1]), longest], short)]
    for rounds in (0, 4, 20):
        for _ in range(rounds):
            # All sizes in turn, so that a phase in which the machine is slow affects each of them.
            costs = [_once(recognise, text, folder) for text in texts]
            longest = min(longest, costs[-1])
            growths.append(_growth(costs, short))
        if (growth := median(growths)) <= MOST_PER_DOUBLING and longest <= MOST_OF_PROSE * plain:
            return ""
    return f"{unit!r}: {growth:.1f} times a doubling, {longest / plain:.0f} times prose, {1000 * longest:.0f} ms"


def _growth(costs: Sequence[float], short: float) -> float:
    """Returns the largest factor per doubling of the length. Sizes are two doublings apart, which reduces noise."""
    return max((cost / max(before, short)) ** 0.5 for before, cost in pairwise(costs))


NOT_TRIED: Final = {
    # These read a sentence that spaCy parsed, or a name that it found in one.
    *(f"hippograph.nlp.extraction.{each}" for each in ("coreference", "naming", "validation")),
    *("hippograph.nlp.parsing.wording", "hippograph.nlp.names.recognition", "hippograph.nlp.names.tagging"),
    # Reads its own sentences and the slots of one sentence.
    "hippograph.nlp.frames.telling",
    # Its only pattern matches file names.
    "hippograph.graph.transfer.formats.chats.claude",
}


def test_every_pattern_is_in_a_module_that_is_tried(tmp_path: Path) -> None:
    """Each module with patterns, of `nlp` or of an import format, runs in some recogniser or is in `NOT_TRIED`."""
    ran: set[str] = set()

    def note(frame: FrameType, _event: str, _argument: object) -> None:
        ran.add(frame.f_globals.get("__name__", ""))

    sys.setprofile(note)
    try:
        for recognise in RECOGNISERS.values():
            for text in (f"Yes. {PROSE}", SECRETS, "Ada", "김민수"):  # texts that are in no cache
                recognise(text, tmp_path)
    finally:
        sys.setprofile(None)
    modules = [each.name for each in pkgutil.walk_packages(nlp.__path__, "hippograph.nlp.")]
    modules += [each.name for each in pkgutil.walk_packages(formats.__path__, "hippograph.graph.transfer.formats.")]
    patterned = {
        each for each in modules if re.search(r"\bre\.compile\(", Path(str(find_spec(each).origin)).read_text("utf-8"))
    }
    assert patterned - ran - NOT_TRIED == set()
