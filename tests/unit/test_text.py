import pytest

from hippograph.nlp.errors import BadText
from hippograph.nlp.text import called_in, check_text, full_text_query, full_text_words, normalise, slug


class TestCheckText:
    def test_white_space_around_is_stripped(self) -> None:
        """White space around a text is stripped; inside, nothing changes."""
        assert "Cafe\u0301\r\n\tａt 5  o'clock" == check_text(" \n Cafe\u0301\r\n\tａt 5  o'clock\u3000\n", limit=100)

    @pytest.mark.parametrize("text", ["", " \n\t", "\u200b\ufeff", "\u3000\u00a0"])
    def test_blank(self, text: str) -> None:
        """A text without visible characters is refused."""
        with pytest.raises(BadText, match="is empty"):
            check_text(text, limit=100)

    @pytest.mark.parametrize("character", ["\0", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x1c", "\x1f"])
    def test_control_characters(self, character: str) -> None:
        """Control characters are refused, also at the ends, and the message says which and where."""
        with pytest.raises(BadText, match=rf"U\+00{ord(character):02X} at position 3\. Remove it"):
            check_text("abc" + character, limit=100)

    @pytest.mark.parametrize("character", [chr(0xD800), chr(0xDFFF)])
    def test_half_surrogates(self, character: str) -> None:
        """A lone surrogate, which UTF-8 cannot encode, is refused."""
        with pytest.raises(BadText, match="half of a surrogate pair"):
            check_text(f"a{character}b", limit=100)

    def test_length(self) -> None:
        """The limit counts characters, not bytes, and not the white space around."""
        assert "яяяяя" == check_text(" яяяяя ", limit=5)
        with pytest.raises(BadText, match=r"has 6 characters; 5 are allowed"):
            check_text("яяяяяя", limit=5)

    def test_the_message_keeps_the_text_to_itself(self) -> None:
        """The error does not repeat the text, which may be private."""
        with pytest.raises(BadText) as caught:
            check_text("secret\0", limit=100)

        assert "secret" not in str(caught.value)
        assert isinstance(caught.value, ValueError)

    def test_emoji_alone_are_a_text(self) -> None:
        """A text may consist of emoji."""
        assert "🎉" == check_text("🎉", limit=1)


class TestSlug:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("John Smith", "john_smith"),
            ("Jean-Luc  Picard", "jean_luc_picard"),
            ("O'Brien", "obrien"),
            ("J.K. Rowling", "jk_rowling"),
            ("snake_case", "snake_case"),
            (" –Öğretmen– ", "öğretmen"),
            ("Straße", "strasse"),
            ("Тёма Петров", "тёма_петров"),
            ("東京タワー", "東京タワー"),
            ("हिन्दी", "हिन्दी"),
            ("محمد علي", "محمد_علي"),
            ("ＡＢＣ　１２", "abc_12"),
            ("Cafe\u0301", "café"),
            ("person:john|x", "personjohnx"),
            ("C++", "c"),
            ("🎉!", ""),
            ("", ""),
        ],
    )
    def test_slug(self, name: str, expected: str) -> None:
        """Lower case, no punctuation, underscores for spaces and hyphens, letters of any script kept."""
        assert expected == slug(name)


class TestNormalise:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("I like  coffee.", "i like coffee"),
            ("Cafe\u0301!\n", "CAFÉ"),
            ("It’s late…", "it's late"),
            ("ＡＢＣ", "abc"),
        ],
    )
    def test_equal(self, one: str, other: str) -> None:
        """Case, spaces, Unicode forms and final stops make no difference."""
        assert normalise(other) == normalise(one)

    @pytest.mark.parametrize(
        ("one", "other"), [("I know C", "I know C++"), ("5%", "$5"), ("He comes.", "He comes?"), ("3.5", "35")]
    )
    def test_different(self, one: str, other: str) -> None:
        """Punctuation inside, signs and question marks make a difference."""
        assert normalise(other) != normalise(one)


class TestFullTextWords:
    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("What did John say?", ["What", "did", "John", "say"]),
            ("a well-known e-mail, I think", ["well", "known", "mail", "think"]),
            ("see https://example.org/a?b=c&d or www.example.org now", ["see", "or", "now"]),
            ("cats AND dogs OR NOT (birds)", ["cats", "AND", "dogs", "OR", "NOT", "birds"]),
            (
                'field:value "quoted" wild*card? fuzzy~2 boost^4',
                ["field", "value", "quoted", "wild", "card", "fuzzy", "2", "boost", "4"],
            ),
            ("AC/DC /regex/ [1 TO 5] {x} \\u0041 &&||!", ["AC", "DC", "regex", "1", "TO", "5", "u0041"]),
            (
                "don't stop 'quoted' version 3.5 of node.js... U.S.",
                ["don't", "stop", "quoted", "version", "3.5", "of", "node.js", "U.S"],
            ),
            ("@bob #tag snake_case $5 C++", ["bob", "tag", "snake_case", "5"]),
            ("Cat cat CAT dog", ["Cat", "dog"]),
            ("я люблю кофе", ["люблю", "кофе"]),
            ("हिन्दी में", ["हिन्दी", "में"]),
            ("猫", ["猫"]),
            ("東京タワーはどこ", ["東京", "タワー", "はど", "どこ"]),
            ("안녕하세요 세계", ["안녕하세요", "세계"]),
            ("cafe\u0301 e\u0301 __ \u0301\u0301", ["cafe\u0301"]),
            ("a I ! 🎉 \ud800 \0", []),
            ("", []),
        ],
    )
    def test_words(self, query: str, expected: list[str]) -> None:
        """URLs, operators, special characters and single letters go; words, numbers and scripts stay."""
        assert expected == full_text_words(query)

    def test_not_too_many(self) -> None:
        """The first 64 words are taken, and fewer if an analyzer may split them into many terms."""
        assert [f"word{n}" for n in range(64)] == full_text_words(" ".join(f"word{n}" for n in range(500)))
        assert 4 == len(full_text_words(" ".join("하" * 40 + chr(0xAC00 + n) for n in range(50))))

    def test_absurdly_long_words_are_left_out(self) -> None:
        """A word of more than 100 characters is left out."""
        assert ["end"] == full_text_words("x" * 101 + " end")

    @pytest.mark.parametrize("unit", ["a.", "http:", "'", "a-b:/", "東"])
    def test_long_queries_end(self, unit: str) -> None:
        """A million characters give at most 64 words, and no empty text. With an algorithm of quadratic time the test
        would reach its timeout.
        """
        query = unit * (1_000_000 // len(unit))
        assert 64 >= len(full_text_words(query))
        assert normalise(query)
        assert slug(query) == slug(slug(query))


class TestFullTextQuery:
    def test_quoted_words_in_each_field(self) -> None:
        """Each word is quoted, and searched for in each field."""
        expected = 'content:("what" "AND") heading:("what" "AND")'

        assert expected == full_text_query(["what", "AND"], ["content", "heading"])

    def test_a_korean_word_by_its_beginning_too(self) -> None:
        """A Korean word is also searched for by its first two letters, since particles follow it."""
        assert 'content:("서울에서" 서울* "Wien")' == full_text_query(["서울에서", "Wien"], ["content"])

    def test_nothing_to_look_for(self) -> None:
        """Without a word there is no query."""
        assert full_text_query([], ["content"]) is None
        assert full_text_query(["", " "], ["content"]) is None

    def test_quotes_are_escaped(self) -> None:
        """A word cannot end its own quotes."""
        assert r'content:("a\"b\\" "\\\\\"")' == full_text_query(['a"b\\', '\\\\"'], ["content"])

    @pytest.mark.parametrize("field", ["", "a b", "a:b", "a)", "*"])
    def test_fields_are_names(self, field: str) -> None:
        """A field that is not an identifier raises ValueError."""
        with pytest.raises(ValueError, match="no names of fields"):
            full_text_query(["word"], [field])


@pytest.mark.parametrize("name", ["Sean O'Brien", "Node.js", "AT&T", "J.R.R. Tolkien", "Ana Maria da Silva", "प्रिया"])
@pytest.mark.parametrize("question", ["{}", "What does {} like?", "Where is {}'s house?"])
def test_names_are_looked_up_as_they_are_written(name: str, question: str) -> None:
    """Names are found with the punctuation inside them, and those of over three words only if they are the whole
    text.
    """
    expected = len(name.split()) < 4 or question == "{}"
    found = [slug(each) for each in called_in(question.format(name))]
    assert expected is (slug(name) in found)
