"""Detection of texts that ask to keep something from somebody."""

import pytest

from hippograph.nlp.privacy.confidences import told_in_confidence

CONFIDED = """
    The party is a surprise, pls don't mention it to Ben.
    I resigned. Don´t tell Maya.
    I sold the boat, tell no one.
    Jonas is leaving Brightwater, but don't tell Maya.
    Don’t tell Maya or Priya about the party.
    Please do not tell my boss that I have an interview.
    dont tell maya, we're throwing her a party
    Keep this from Maya: I sold her bike.
    Keep it a secret, I'm quitting in May.
    Between us, the merger is off.
    That stays between you and me.
    Just between the two of us: I hate his cooking.
    Don't mention the diagnosis to Ben.
    Please don't mention this to anyone.
    Maya mustn't know that I paid for it.
    She must not find out before Friday.
    He isn't supposed to know yet.
    Don't let Maya know about the ring.
    Not a word to Priya!
    I bought the ring, it's a secret.
    I promised not to tell Ben that his sister called.
    Hide it from the kids, the present is in the shed.
    Off the record: we're out of money.
    This is strictly confidential.
    Nobody else must know.
    I don't want her to know that I cried.
    Sag Maya nichts davon.
    Das bleibt unter uns.
    Не говори Маше, что я уезжаю.
    Entre nosotros, me voy en mayo.
"""
PLAIN = """
    Don't tell me you forgot the keys!
    I don't tell jokes at work.
    I didn't tell Maya yet.
    Why don't you tell Maya?
    Thanks! Don't mention it.
    There's no difference between us.
    Nothing comes between us.
    There are twenty miles between us.
    Keep it from freezing.
    The secret of a good soup is time.
    That's an open secret.
    We play Secret Santa every year.
    Maya told Ben about the party.
    I want her to know that I care.
    Jonas is leaving Brightwater in May.
    Don't let me forget the milk.
    Tell Maya that I said hello.
    I keep a diary.
    You can't tell the difference.
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("text", _lines(CONFIDED))
def test_who_asks_to_keep_something_from_somebody_is_heard(text: str) -> None:
    """A text that asks to keep something from somebody is detected."""
    assert told_in_confidence(text)


@pytest.mark.parametrize("text", _lines(PLAIN))
def test_what_only_sounds_so_keeps_nothing(text: str) -> None:
    """Idioms and plain statements with the same words are not detected."""
    assert not told_in_confidence(text)
