"""Hostile texts, made to cost a recognizer time that grows faster than their length. They are units to be repeated."""

from typing import Final

HOSTILE: Final = [
    # Single signs and letters, and those that open something that is never closed.
    *"aA0私한πё … \n\t\xa0-_.?!'’\"`*,“‘([{<>/=:@#|&",
    *("!?", "```", "\\n", "<@", "【1†", "\ue200", "[a](", "![", "<!--", "~~", "said 'A", "said “A", " 'A b", "'A'a"),
    # Words of one letter or two signs; characters that case folding or normalization changes, or that are invisible.
    *("a.", "a-", "a ", "A ", "a\n", "A\n", "a, ", "a,", "a'", "aB", "A-", "A3-", "a1", "1.", "1 ", "1-", "a_", "a@"),
    *(" \n", "@a", "a. ", "a! ", "и ", "p w d ", "w№ ", "W№ ", "№.", "№ days ago "),
    *("a\u0301", "\u0301", "\u0301\u0316", "\uff9e\u0316", "\u0344", "ﷺ", "ﷺ ", "İ", "ß", "\u200b", "ａ", "🎉"),
    # Beginnings of secrets, identifiers and addresses.
    *("pwd:", "key=", "token=", "password is ", "password for ", "pin ", "pin 1", "code ", "code1", "secret", "is my "),
    *("pass phrase: ", "login ", "key-", "a@b.cd:", "://a:", "Bearer ", " -u a", "mysql -p", "eyJ---", "sk-a", "AKIA"),
    *("seed words a ", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "LS0tLS1CRUdJTi"),
    *("PuTTY-User-Key-File-1 Private-Lines", "aGVsbG8gd29ybGQh\n", "DE44 5001 0517 ", "4111 1111 ", "078-05-1120 "),
    *("+49 170 1 ", "12 Main ", "http://a", "www.", "a.com ", "aGVsbG8gd29ybGQh\n-----END PRIVATE KEY-----\n"),
    # Beginnings of relations, causes, promises, dates, confidences and questions.
    *("Priya's ", "my sister's ", "the of ", "was is ", "you know ", "so, ", "and so ", "me me ", "so so ", "don't "),
    *("because ", "because of ", "so I ", "that's why ", "why ", "I'll send ", "done ", "and then ", "'cause ", "its "),
    *("in May ", "next week ", "the day before ", "on the 3rd ", "from 3 ", "between ", "since the ", "3 days ago "),
    *("don't tell ", "keep this ", "don't let ", "between us ", "sag "),
    *("which one ", "where is ", "где ", "как ", "after I ", "the A's ", "a, b", "all of ", "the man who ", "SO "),
    # Lines of files.
    *("> a\n", "- a\n", "a:\n- ", "  - a\n", "# a\n", "* ", "1. a\n", "---\n", "&amp;", "<a ", "| a ", "ok\r\n"),
    *("1/2/26, 10:00 - ", "[1/2/26, 10:00] "),
]  # fmt: skip


def repeated(unit: str, length: int) -> str:
    """Repeats a whole unit, to at most `length` characters. `№` in it is replaced by a number that counts up from 0."""
    longest = unit.replace("№", str(length))
    return "".join(unit.replace("№", str(each)) for each in range(length // len(longest)))
