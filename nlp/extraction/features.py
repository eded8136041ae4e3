"""What can be seen of a piece of talk: what `nlp.extraction.relevance` was taught with, and judges by.

Each feature is a short text, there or not. What belongs here: looking. What a feature is worth is learned
(`scripts/train_extraction.py`).
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING, Final

from nlp.dates import Dated
from nlp.extraction.coreference import PRONOUNS, People
from nlp.extraction.relations import aspect
from nlp.parsing.clauses import Clause, open_ended
from nlp.parsing.lexicon import lemma, lexicon

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_TOLD_WITH: Final = {"dobj", "attr", "acomp", "prep", "xcomp", "prt", "npadvmod", "advmod"}
_FLAGS: Final = (
    *("negated", "past", "perfect", "ongoing", "future", "asked", "cut_short", "conditions", "implied", "often"),
)
_BUILT_OF: Final = {"dobj", "attr", "acomp", "prep", "xcomp", "ccomp", "advcl", "prt", "npadvmod"}
_SIZES: Final = (2, 4, 7, 11, 18)
_STEP: Final = 12
_LOOSE: Final = ("meant", "lately", "noun")
"""Beginnings of roles that tell only that a name is near."""
_MOST_STEPS: Final = 4


def of_piece(
    people: People, turn: int, piece: Clause, words: "Sequence[Token]", sentence: "Span", when: Dated, said: datetime
) -> set[str]:
    """What tells whether a piece is worth remembering, and as what."""
    seen = {"fragment" if piece.fragment else "clause", *_of_words(people, turn, piece, words)}
    first, last = words[0], words[-1]
    before = first.nbor(-1).lower_ if first.i > 0 else "^"
    behind = last.nbor(1).lower_ if last.i + 1 < len(last.doc) else "$"
    size = sum(not token.is_punct for token in words)
    seen |= {
        *(f"first={first.lower_}", f"first tag={first.tag_}", f"last tag={last.tag_}"),
        *(f"before={before}", f"behind={behind}", f"sentence={sentence[0].lower_}"),
        f"size={next((each for each in _SIZES if size <= each), 'more')}",
        f"at={min(sentence.start // _STEP, _MOST_STEPS)}",
        f"turn={min(len(last.doc) // _STEP, _MOST_STEPS)}",
    }
    seen |= {f"mark={token.text}" for token in sentence if token.text in {"?", "!"}}
    seen |= _of_time(when, said)
    if open_ended(words):
        seen.add("open ended")
    return seen if piece.fragment else seen | set(_of_clause(people, turn, piece))


def _of_words(people: People, turn: int, piece: Clause, words: "Sequence[Token]") -> Iterator[str]:
    for token in words:
        if token.is_punct or token.is_space:
            continue
        yield f"word={lemma(token).lower()}"
        yield from (f"a word of {each}" for each in _classes(token))
        if token.ent_type_:
            yield f"name={token.ent_type_}"
        if token.lower_ in PRONOUNS:
            yield f"pronoun={token.lower_}"
            if people.who(turn, token, piece) is None:
                yield "nobody"
                yield f"nobody={token.lower_}"


def _of_time(when: Dated, said: datetime) -> set[str]:
    seen = {"timed"} if when.timed else set()
    if when.day is not None:
        days = (when.day.date() - said.date()).days
        seen |= {"dated", "dated=past" if days < 0 else "dated=today" if days == 0 else "dated=future"}
    return seen


def _of_clause(people: People, turn: int, piece: Clause) -> Iterator[str]:
    head, subject = piece.head, piece.subject
    yield from (
        f"head={lemma(head).lower()}",
        f"main={lemma(piece.main).lower()}",
        f"head tag={head.tag_}",
        f"head is={head.dep_}",
    )
    yield from (f"main of {each}" for each in _classes(piece.main))
    if told := aspect(piece):
        yield from ("an aspect", f"aspect={told}")
    yield f"subject={_sort(people, subject)}"
    if subject is not None:
        yield from _of_its_subject(people, turn, piece, subject)
    yield from (flag for flag in _FLAGS if getattr(piece, flag))
    if piece.modal:
        yield f"modal={piece.modal}"
    if piece.under is not None:
        yield f"under={piece.under.head.lemma_.lower()}"
    yield from _shapes(people, piece)
    yield from _complements(head)


def _of_its_subject(people: People, turn: int, piece: Clause, subject: "Token") -> Iterator[str]:
    yield f"subject word={subject.lemma_.lower()}"
    if any(child.dep_ == "poss" for child in subject.children):
        yield "somebody's"
    if subject.lower_ in PRONOUNS and people.who(turn, subject, piece) is None:
        yield "subject nobody"


def _complements(head: "Token") -> Iterator[str]:
    """What stands with a verb."""
    for child in head.children:
        yield f"with={child.dep_}"
        if child.dep_ in _TOLD_WITH:
            yield f"{child.dep_}={child.lemma_.lower()}"
            yield f"{lemma(head).lower()} with {child.dep_}"
            yield from (f"{child.dep_} of {each}" for each in _classes(child))


def _shapes(people: People, piece: Clause) -> Iterator[str]:
    """What a clause is built like: who, when and with what."""
    who, main = _sort(people, piece.subject), piece.main
    when = "future" if piece.future else "past" if piece.past else main.tag_
    sure = "not" if piece.negated else piece.modal or "is"
    behind = "+".join(sorted({child.dep_ for child in main.children if child.dep_ in _BUILT_OF}))
    yield f"shape={who} {when} {sure} {behind}"
    yield f"shape={when} {behind}"
    yield f"shape={who} {when} {sure}"
    yield f"{lemma(main).lower()} {when} {sure}"
    yield f"{who} {lemma(main).lower()}"
    yield from (f"{who} {when} {sure} main of {each}" for each in _classes(main))


def _classes(token: "Token") -> tuple[str, ...]:
    """Classes of meaning."""
    classes = lexicon().classes
    return classes.get(lemma(token).lower()) or classes.get(token.lower_, ())


def _sort(people: People, subject: "Token | None") -> str:
    if subject is None:
        return "none"
    if subject.lower_ in PRONOUNS:
        return subject.lower_
    return "somebody" if people.is_person(subject) else subject.pos_


def of_subjects(
    people: People, piece: Clause, seen: Set[str], named: Mapping[str, set[str]]
) -> Iterator[tuple[str, set[str]]]:
    """What tells whether a piece is about somebody or something that it names, by name; `named` says how."""
    beside = {role for each in named.values() for role in each if not role.startswith(_LOOSE)}
    grounds = {f"subject={_sort(people, piece.subject)}", "fragment" if piece.fragment else "clause"}
    grounds |= {each for each in seen if each.startswith("main=")}
    grounds |= seen & {
        *("past", "future", "negated", "implied", "dated", "dated=future"),
        *("with=dobj", "with=acomp", "with=attr", "with=prep"),
    }
    for name, roles in named.items():
        type_ = people.entity(name).type
        meant = any(role.startswith("meant") for role in roles)
        yield (
            name,
            {
                f"type={type_}",
                f"takes part={people.takes_part(name)}",
                f"roles={'+'.join(sorted({role.partition(',')[0] for role in roles}))}",
                *roles,
                *(f"{role}, type={type_}" for role in roles),
                *(f"{role}, {ground}" for role in roles & beside for ground in grounds),
                *(f"{role}, beside {other}" for role in roles & beside for other in beside),
                *(f"meant, beside {other}" for other in roles & beside if meant),
                *(["meant"] if meant else []),
            },
        )
