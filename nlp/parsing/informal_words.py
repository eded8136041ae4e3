"""Words of informal English that a name finder mistakes for names, or for parts of them.

Data only, lower case. General words of chat, never names of people or things.
"""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# A name right after one of these is a person spoken to: "Hey Bob!", "Thanks, Bob."
ADDRESSING = _words("""
    hey hi hello hiya heya howdy yo greetings morning afternoon evening goodnight bye goodbye cya
    thanks thx ty congrats congratulations gratz welcome sorry cheers
    """) | {
    "good morning",
    "good afternoon",
    "good evening",
    "good night",
    "thank you",
    "see ya",
    "see you",
    "take care",
}

# The same after one of these, if what follows is a comma or an exclamation mark: "Wow, Bob!", "Yeah Bob, I did".
REACTIONS = _words("""
    wow woah whoa yeah yea yep yup yes nope nah no ah aww aw oh ooh oops ok okay sure right totally absolutely
    definitely exactly agreed indeed awesome great cool nice amazing wonderful fantastic perfect brilliant lovely sweet
    haha lol omg hmm well please wait look listen woohoo yay bravo
    """) | {
    "oh no",
    "oh wow",
    "no worries",
    "no problem",
    "of course",
    "for sure",
    "good luck",
    "well done",
    "good job",
}

# Words that never are a name, nor begin one, however they are capitalised.
INTERJECTIONS = frozenset(word for phrase in ADDRESSING | REACTIONS for word in phrase.split()) | _words("""
        awww ahh ohh ugh uh um huh phew yikes gosh geez jeez dang darn damn yum yummy bummer bleh meh woot
        hooray hurray yahoo wowza whew congratulation glad happy ya yall wanna gonna gotta lemme gimme dunno kinda
        sorta cuz coz btw fyi imo imho tbh idk afaik asap rofl lmao brb ttyl np pls plz looky gotcha hahaha hehe
        cozy tons lots
        """)

# Whom one may address without naming anyone.
NOBODY = _words("""
    all there everyone everybody anyone guys folks team people friend friends man dude buddy bud bro mate pal sis
    boss sir madam ma'am ladies gentlemen gentleman girl girls boy boys kids kid y'all yall again too both
    mom mum mommy mummy dad daddy mama papa mother father grandma grandpa granny auntie aunt uncle
    honey hon dear darling love babe baby sweetie god goodness gosh heavens lord jesus christ
    you it that this what who how when where why which i we he she they my me the a an so and but or if
    is are was can could do does did let let's got have not just really very much good
    """)

# Names of days and months in the short forms that slip through as names of people or places.
CALENDAR = _words("mon tue tues wed weds thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec")

# Handles that call a whole room.
ROOM_HANDLES = frozenset({"@all", "@channel", "@everybody", "@everyone", "@here", "@room", "@team"})
