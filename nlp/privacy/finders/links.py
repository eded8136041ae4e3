"""Links between the name of a secret and its value: a sign, a verb, a new sentence, or nothing."""

import re

_WORD = r"[^\s,;:!?=\"“„«`]{0,39}[^\s.,;:!?=\"“„«`]"
_IS = r"(?:is|are|was|were|ist|lautet|lauten|war|es|est|é|è|are|be|будет|это|to\ be|becomes)(?!\w)"
_FILLER = (
    r"(?:now|still|just|currently|actually|literally|simply|also|always|basically|again|probably|set\ to|as\ follows"
    r"|following|called|jetzt|immer\ noch|noch|immer|weiterhin|einfach|nun|теперь|ahora|maintenant|apparently"
    r"|btw|obviously|indeed|exactly|really|so|the\ same\ as\ before|there|this|it's)"
)
_JOINED = rf"""
    \s{{0,3}}(?P<sign>:=|=>|->|→|⇒|=|:|：|\|)[*]{{0,2}}(?:\s*{_IS})?
    |(?P<says>\s+lautet)
    |(?P<is>(?:(?:\s+(?:has\ been|have\ been|had\ been|was|is|got|just|will\ be|should\ be|would\ be|'ll\ be|now
        |simply))?
            \s+(?:changed|set|reset|rotated|updated|switched)\s+to)
        |['’]s(?!\w)|\s+(?:will|should|would|used\ to)\s+be(?!\w)|\s+{_IS}|(?:は|是|为))
    |(?P<dash>\s+[-–—](?=\s)|\s*[-–—]\s+)
"""
_REST = rf"(?:\s*(?:,\s*)?{_FILLER}(?!\w))*(?P<sign2>\s*:)?"
_SPACE = r"[ \t\u00a0]*\n?[ \t]*"
# Patterns of links: at once or by a new sentence; after some words ("for the printer is"); nothing but space.
_LINKS = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"""["'`*\]_]{{0,3}}(?:\s?\([^()\n]{{1,40}}\))?(?P<gap>(?!))?(?:(?:{_JOINED}){_REST}
            |(?P<asked>[?？]+\s+(?:(?:A|answer)\s?:\s?)?(?:(?:it['’]?s|it\ is|that['’]s|yes,?|sure,?|yep,?)\s+){{0,3}})
            |(?P<later>[.!,]?\s+(?:it['’]?s|it\ is|es\ ist|das\ ist|that['’]s)(?:\s+{_FILLER}(?!\w))*)
            )(?P<beside>(?!))?{_SPACE}""",
        rf"""["'`*\]_]{{0,3}}(?P<gap>(?:\s+{_WORD}){{1,8}}?)(?:{_JOINED}){_REST}
            (?P<asked>(?!))?(?P<later>(?!))?(?P<beside>(?!))?{_SPACE}""",
        rf"(?P<beside>\s)(?P<gap>(?!))?(?P<sign>(?!))?(?P<sign2>(?!))?(?P<says>(?!))?(?P<dash>(?!))?(?P<asked>(?!))?(?P<later>(?!))?{_SPACE}",
    )
)
CHANGED = re.compile(
    r"\b(?:chang|set|reset|updat|rotat|switch|mak|made|pick|chose|geänder|änder)\w*\s+(?:\S+\s+){0,4}$", re.IGNORECASE
)
CHANGED_TO = re.compile(rf"(?:\s+{_WORD}){{0,6}}?\s+(?:to|as|auf)\s+(?:be\s+)?", re.IGNORECASE)
PREPOSITION = re.compile(
    r"\s+(?:for|of|to|on|at|in|from|here|you|we|i|für|zum|zur|vom|beim|im|am|von|de|del|du|da|do|para|pour|от"
    r"|для|к|на|over|there|that|which)\b",
    re.IGNORECASE,
)


def link_at(text: str, at: int) -> re.Match[str] | None:
    """Returns the link to the value of a secret whose name ends at `at`, None without one."""
    near, far, beside = _LINKS
    return near.match(text, at) or far.match(text, at) or beside.match(text, at)


def skip_space(text: str, at: int) -> int:
    """Returns the next position that has neither a space nor a tab."""
    while at < len(text) and text[at] in " \t":
        at += 1
    return at
