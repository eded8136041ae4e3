import re
import unicodedata

from hypothesis import assume, example, given
from hypothesis import strategies as st

from hippograph.nlp.errors import BadText
from hippograph.nlp.text import check_text, full_text_query, full_text_words, normalise, slug

ANY_TEXT = st.text() | st.text(alphabet="ab AND OR NOT TO\"\\/()[]{}^~*?:+-!&|<>=.'_東ど타ท\u0301\u0345\u200d\n😀٣İßσ")

# Patterns of a query: quoted terms of Lucene's classic grammar, each with at most the two letters that a Korean word
# begins with, and nothing else, in one group for each field.
QUOTED = r'"(?:[^"\\]|\\.)*"'
BEGINNING = r"[\uac00-\ud7a3]{2}\*"
TERM = rf"{QUOTED}(?: {BEGINNING})?"
GROUP = rf"[A-Za-z_]\w*:\({TERM}(?: {TERM})*\)"
QUERY = re.compile(rf"{GROUP}(?: {GROUP})*", re.DOTALL)
KOREAN = re.compile(r"[\uac00-\ud7a3]{2,}")


def terms(query: str) -> list[tuple[str, str]]:
    """Returns the quoted literals of a query as Lucene reads them, without escapes, each with the unquoted beginning
    that follows it, or "".
    """
    found = re.findall(rf"({QUOTED})(?: ({BEGINNING}))?", query, re.DOTALL)
    return [(re.sub(r"\\(.)", r"\1", quoted[1:-1], flags=re.DOTALL), beginning) for quoted, beginning in found]


@given(ANY_TEXT)
def test_words_hold_nothing_special(query: str) -> None:
    """Words have only letters, digits, marks and underscores, and inside also apostrophes and dots."""
    for word in full_text_words(query):
        assert all(unicodedata.category(character)[0] in "LNM" or character in "_'’." for character in word)
        assert word.strip("'’.") == word


@given(ANY_TEXT)
def test_words_are_few_and_different(query: str) -> None:
    """`full_text_words` returns at most 64 words, all different regardless of case, in the order of the query."""
    words = full_text_words(query)

    assert len(words) <= 64
    assert len({word.casefold() for word in words}) == len(words)
    place = 0
    for word in words:
        place = query.index(word, place) + 1


@given(ANY_TEXT)
def test_words_come_out_as_they_went_in(query: str) -> None:
    """`full_text_words` applied to its own result returns the same words."""
    words = full_text_words(query)

    assert words == full_text_words(" ".join(words))


@given(st.lists(ANY_TEXT), st.lists(st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_]{0,9}\Z"), min_size=1, max_size=3))
@example(["타타", "하나둘", "타ど", "타타 OR x", '" 타타* "'], ["content", "heading"])
def test_no_word_steers_a_query(words: list[str], fields: list[str]) -> None:
    """For any words, the query has only groups of quoted literals, which are the words, each Korean word with its first
    two letters as a prefix. It is None without words.
    """
    query = full_text_query(words, fields)
    kept = [word for word in words if word.strip()]

    if query is None:
        assert [] == kept
    else:
        assert QUERY.fullmatch(query)
        expected = [(word, f"{word[:2]}*" if KOREAN.fullmatch(word) else "") for word in kept]
        assert expected * len(fields) == terms(query)


@given(ANY_TEXT)
@example("İ")
@example("\u0345\u0301a")
@example("a\u200d\u0301")
@example("ẛ̣")
def test_slug_of_a_slug(name: str) -> None:
    """The slug of a slug is the same slug. It has no white space and no punctuation but single underscores inside."""
    made = slug(name)

    assert made == slug(made)
    assert all(unicodedata.category(character)[0] in "LNM" or character == "_" for character in made)
    assert "__" not in made
    assert made == made.strip("_")


@given(ANY_TEXT, st.sampled_from(["!", "?", ".", "'", "’", ",", "(", ":"]))
def test_slug_ignores_punctuation_and_case(name: str, mark: str) -> None:
    """Punctuation around a name does not change its slug, nor does the case of an ASCII name."""
    assert slug(name) == slug(mark + name + mark)
    if name.isascii():
        assert slug(name) == slug(name.upper())


@given(ANY_TEXT)
@example("a . .")
@example(". a")
def test_normalising_twice(text: str) -> None:
    """Normalising a normalised text does not change it."""
    assert normalise(text) == normalise(normalise(text))


@given(ANY_TEXT, st.integers(1, 50))
def test_a_checked_text_can_be_stored(text: str, limit: int) -> None:
    """A text that passes the check is returned as a part of the input, within the limit and valid UTF-8, and passes
    again unchanged.
    """
    try:
        checked = check_text(text, limit=limit)
    except BadText:
        return

    assert checked in text
    assert 1 <= len(checked) <= limit
    assert checked == checked.encode().decode()
    assert checked == check_text(checked, limit=limit)


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1))
def test_ordinary_text_passes_unchanged(text: str) -> None:
    """A text of letters, digits, punctuation and symbols passes the check unchanged."""
    assume(text == text.strip())
    assert text == check_text(text, limit=len(text))
