"""`bench names`: precision and recall of names in talk. `tests/benchmark/names/README.md` describes the format."""

import time
from collections import Counter
from collections.abc import Sequence

from benchmarks.environment import Report, Row
from benchmarks.quality.labelled import Labelled
from hippograph.nlp.names.recognition import TYPED, TYPES_OF_SORTS, EntityType, NameFinder
from hippograph.nlp.names.tagging import Sort


class NamedText(Labelled):
    """A text and the names in it (`n`), each as it stands there, with its sort (`nlp.names.tagging.Sort`)."""

    text: str
    n: list[tuple[str, Sort]]


def measure(finder: NameFinder, texts: Sequence[NamedText], report: Report) -> list[Row]:
    """Returns precision and recall of whole names, each counted once a text; handles do not count.

    The rows are: of any type; of the right type; only names that make an entity (`sure`); of these only names whose
    type is certain enough to be kept; each type; and the speed.
    """
    report(0, len(texts), "finding names")
    started = time.perf_counter()
    names = finder.find([each.text for each in texts])
    took = time.perf_counter() - started
    counts: Counter[tuple[str, str]] = Counter()
    for text, found in zip(texts, names, strict=True):
        labelled: dict[str, EntityType] = {name: TYPES_OF_SORTS[sort] for name, sort in text.n}
        told = {name.text: name for name in found if not name.text.startswith("@")}
        for name, kind in labelled.items():
            counts["labelled", kind] += 1
            counts["right", kind] += name in told and told[name].type == kind
            counts["whole", "all"] += name in told
        for each in told.values():
            counts["found", each.type] += 1
            if each.sure:
                counts["sure", "all"] += 1
                counts["sure and whole", "all"] += each.text in labelled
            if each.sure and each.certainty >= TYPED:
                counts["typed", "all"] += 1
                counts["typed and right", "all"] += labelled.get(each.text) == each.type
    kinds = sorted({kind for _, kind in counts} - {"all"})
    totals = {what: sum(counts[what, kind] for kind in kinds) for what in ("labelled", "found", "right")}
    return [
        Row("whole, of any type", _numbers(totals["labelled"], totals["found"], counts["whole", "all"])),
        Row("whole and of the right type", _numbers(totals["labelled"], totals["found"], totals["right"])),
        *(
            Row(title, _numbers(totals["labelled"], counts[of, "all"], counts[right, "all"]))
            for title, of, right in (
                ("sure, whole, of any type", "sure", "sure and whole"),
                ("sure, of a type, and that is right", "typed", "typed and right"),
            )
        ),
        *(
            Row(kind, _numbers(counts["labelled", kind], counts["found", kind], counts["right", kind]))
            for kind in kinds
        ),
        Row("speed", {"texts/s": len(texts) / took}),
    ]


def _numbers(labelled: int, found: int, right: int) -> dict[str, float]:
    return {
        "labelled": labelled,
        "found": found,
        "precision": right / found if found else 0.0,
        "recall": right / labelled if labelled else 0.0,
    }
