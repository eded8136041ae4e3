import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.privacy.sensitivity import guess_portable, guess_sensitivity

LEVELS = ("public", "personal", "sensitive")

SENSITIVE = {
    "health": """
        Mia was diagnosed with diabetes last spring
        Tom has been off sick since Monday
        my dad had a stroke in June
        Her biopsy came back clear
        Paul takes metformin every morning
        Ines is recovering from knee surgery
        He broke his left arm while skiing
        Grandpa is in hospital again
        Olga has a doctor's appointment on Friday
        Bob is allergic to peanuts
        Nina's health is getting worse
        I tested positive this morning
        she needs an operation on her hip
        """,
    "the mind": """
        My therapist says hi
        Kim has been depressed for months
        I think I'm close to burnout
        Leo gets panic attacks before flights
        He said he wants to die
        She was hurting herself back then
        Ben has ADHD and dyslexia
        Her anxiety is bad at the moment
        He’s burnt out and can’t sleep
        """,
    "pregnancy": """
        Sara is pregnant
        We're expecting our second child in May
        They are trying for a baby
        Lena had a miscarriage
        Jo and Kit have started IVF
        """,
    "money": """
        Her salary is far too low
        Carl earns about $90k
        He makes 4000 euros a month
        They took out a second mortgage
        Ken is deep in debt
        Our account is in the red again
        My IBAN is on the form
        Pay to DE89 3704 0044 0532 0130 00 please
        GB29NWBK60161331926819
        Rita asked her boss for a raise
        He owes his brother 500 dollars
        I can't afford the rent
        Max filed for bankruptcy
        Sue got evicted from her flat
        """,
    "addiction": """
        My uncle is an alcoholic
        Ray has been sober for two years
        She's in rehab until August
        He is addicted to painkillers
        Dan lost everything gambling
        """,
    "belief, politics, orientation": """
        Ali is a devout Muslim
        She goes to church on Sundays
        Piet voted for the Greens
        He holds extreme political views
        Joan is a shop steward in the trade union
        Alex came out to his parents
        Robin is non-binary
        Chris told me that he's gay
        """,
    "law and identity": """
        Vic was arrested on Saturday
        He has a criminal record
        She is being sued by a former client
        Hank spent two years in prison
        her social security number is 078-05-1120
        My passport number ends in 77
        """,
    "other languages": """
        Anna ist schwanger
        Er hat Schulden bei der Bank
        Ich bin seit Montag krank
        Маша беременна
        У него большая ипотека
        Она лежит в больнице
        María está embarazada
        Tiene muchas deudas
        Le diagnosticaron cáncer
        """,
}
PERSONAL = {
    "work": """
        Bob is looking for a new job
        Eva has a job interview at a bank
        I got laid off yesterday
        Kai was fired last week
        He plans to quit in summer
        Mona handed in her notice
        Jan hates his boss
        She's been unemployed since March
        I'm updating my CV
        """,
    "people": """
        Lea and Tim are getting divorced
        Ann broke up with Luke
        He cheated on his wife
        I had a huge fight with my mother
        We're not on speaking terms
        Fred is estranged from his kids
        She has a crush on Ivan
        Her grandmother passed away
        My ex keeps calling
        """,
    "contact data": """
        Write to jane.doe+lists@example.org
        my number is 5551234
        Call me at +49 170 1234567
        You reach her under (555) 010-4477
        Her landline: 020 7946 0958
        Телефон: 8 (916) 123-45-67
        He lives at 12 baker street
        The parcel goes to 221B Baker Street
        Sie wohnt in der Lindenstraße 14
        The gate code is 4711
        """,
    "in confidence": """
        Don't tell Sam, but the party is on Friday
        Between you and me, the plan is dead
        Please keep this confidential
        Nobody knows that she writes poems
        """,
    "other languages": """
        Er hat gestern gekündigt
        Они развелись в мае
        Он ищет новую работу
        Está buscando trabajo
        """,
}
PUBLIC = {
    "facts about people": """
        Bob prefers dark mode
        Tina has a dog named Max
        Sarah's birthday is March 15
        Bob loves pizza
        Karl plays tennis on Mondays
        She was born on 3 May 1990 in Oslo
        Nadia works at a software company
        Her sister is a surgeon
        Lou works as a nurse at the hospital
        Emma was late for lunch
        """,
    "software": """
        The server is healthy
        Add a health check endpoint, please
        the cluster's health is fine
        We are running out of memory
        There is a memory leak in the parser
        Authentication is a blocking operation
        We have a lot of technical debt
        The cold start takes 3 seconds
        The cache evicts the oldest entries
        The webhook was fired twice
        the build is in the red
        The core dumped again
        The option is disabled by default
        Abort the transaction and retry
        I diagnosed the bug within an hour
        The variant won the a/b test, positive result
        Gradient descent is slow here
        A file of comma-separated values
        We broke up the monolith
        Clone git@github.com:acme/tool.git
        It listens on 192.168.100.200:8080
        Released on 2024-03-15 as version 10.20.3000
        Order 12345678 has 3 items
        commit deadbeef1234, see issue #4821
        """,
    "idioms": """
        This bug is killing me
        Pay attention to the details
        That pays off in the end
        I'm sick of this meeting
        I am sick and tired of YAML
        There was a pregnant pause
        Credit to Bob for the idea
        Could you loan me your pen?
        I'm allergic to meetings
        He depressed the button
        the heart of the matter
        It was a stroke of luck
        She is addicted to chocolate
        I owe you a debt of gratitude
        ill be there soon
        We quit Vim after an hour
        He had a cold beer
        The team is all fired up
        I let go of the rope
        It's five minutes down the road
        I'm anxious to see the result
        The ball is in your court
        """,
}

PORTABLE = {
    "lasting": """
        Bob loves pizza
        Sarah's birthday is March 15
        Sarah's birthday is next March
        Ivo lives in Lisbon now
        Today I learned that Rob is a vegetarian
        Her name is Katharina
        Mick works as a plumber
        Ella is allergic to cats
        They live next to the station
        I prefer tea to coffee
        She has two daughters
        He always comes by bike
        The office is on the third floor
        We use PostgreSQL for billing
        Tomorrow is Ada's birthday
        Mein Geburtstag ist morgen
        """
}
ONLY_HERE = {
    "now": """
        Bob is presenting next
        I need the report by end of day
        Send it to me by EOD
        I'm on my way
        brb
        Back in a minute
        The meeting starts in 5 minutes
        Gina is running late
        Let's order lunch right now
        See you this afternoon
        We could go bowling tonight
        Can you hear me?
        Who's next?
        next slide please
        I'm stuck in traffic
        Let's deploy tomorrow
        The review is due on Thursday
        I'd love to come today
        Ich bin gleich zurück
        Я уже еду
        """
}


def sentences(*tables: dict[str, str]) -> list[str]:
    """All sentences of the tables, in which each line is a sentence."""
    return [line.strip() for table in tables for lines in table.values() for line in lines.strip().splitlines()]


class TestSensitivity:
    @pytest.mark.parametrize("text", sentences(SENSITIVE))
    def test_sensitive(self, text: str) -> None:
        """Health, mind, pregnancy, money, addiction, belief, orientation and law are sensitive."""
        assert "sensitive" == guess_sensitivity(text)

    @pytest.mark.parametrize("text", sentences(PERSONAL))
    def test_personal(self, text: str) -> None:
        """Trouble at work and at home, contact data and confidences are personal."""
        assert "personal" == guess_sensitivity(text)

    @pytest.mark.parametrize("text", sentences(PUBLIC))
    def test_public(self, text: str) -> None:
        """Plain facts, software and idioms are public."""
        assert "public" == guess_sensitivity(text)

    @pytest.mark.parametrize("text", ["DE89 3704 0044 0532 0130 01", "AB12CDEF3456ABCD7890", "GB30NWBK60161331926819"])
    def test_an_iban_has_right_check_digits(self, text: str) -> None:
        """A text in the form of an IBAN with wrong check digits is not sensitive."""
        assert "sensitive" != guess_sensitivity(text)

    def test_an_idiom_hides_nothing_but_itself(self) -> None:
        """Sensitive or personal words beside an idiom still count."""
        assert "sensitive" == guess_sensitivity("Technical debt is one thing, his debt is another")
        assert "personal" == guess_sensitivity("I'm sick of this meeting and looking for a new job")

    def test_a_phrase_stays_within_a_sentence(self) -> None:
        """Neither a phrase nor an idiom is found across the end of a sentence."""
        assert "public" == guess_sensitivity("That is what we did at work. Looking for. A new job queue is there.")
        assert "sensitive" == guess_sensitivity("He is sick. Of course we wait.")

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        """Every text gets one of the three labels."""
        assert guess_sensitivity(text) in LEVELS

    @given(
        text=st.sampled_from(sentences(SENSITIVE, PERSONAL, PUBLIC)),
        before=st.sampled_from(sentences(PUBLIC, PORTABLE)) | st.text(),
        after=st.sampled_from(sentences(PUBLIC, PORTABLE)) | st.text(),
        between=st.sampled_from([". ", "! ", "?\n", "\n\n", ".\n \n"]),
    )
    def test_more_text_never_lowers_it(self, text: str, before: str, after: str, between: str) -> None:
        """A statement with other sentences before and after it is at least as private as alone."""
        alone = guess_sensitivity(text)

        assert LEVELS.index(alone) <= LEVELS.index(guess_sensitivity(before + between + text + between + after))


class TestPortable:
    @pytest.mark.parametrize("text", sentences(PORTABLE))
    def test_portable(self, text: str) -> None:
        """Lasting statements are portable, also if they name a time."""
        assert guess_portable(text) is True

    @pytest.mark.parametrize("text", sentences(ONLY_HERE))
    def test_only_here(self, text: str) -> None:
        """Statements about the moment or the near future are not portable."""
        assert guess_portable(text) is False

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        """Every text is classified."""
        assert isinstance(guess_portable(text), bool)


@pytest.mark.parametrize(
    "text",
    [
        "My knee has been sore since the marathon",
        "my hip operation is in November",
    ],
)
def test_words_of_labelled_talk_sound_private(text: str) -> None:
    """Sentences without a phrase of the tables are sensitive by the learned weights, and public without these."""
    assert ("sensitive", "public") == (guess_sensitivity(text), guess_sensitivity(text, {}))
