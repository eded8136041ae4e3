#!/usr/bin/env python
"""Mutation test of the visibility rule: weakens it in one place at a time, and checks that the tests notice.

Each weakening is made in a copy of the working tree. A weakened statement is run in worlds that are laid out once
(`weakened_worlds`), where a read path must differ from the oracle. For weakenings not noticed there, and for those in
Python, a test must fail; those that survive are tried in ten times as many worlds. If any is left, the tests are
insufficient, and the exit status is 1. With words given, only the weakenings whose names contain one of them are made.

    .venv/bin/python -m scripts.weaken_rule [word…]
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from benchmarks.environment import load_statements
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import open_service
from hippograph.cypher.loader import StatementError
from hippograph.graph.errors import HippographError
from hippograph.graph.local.server import LocalConfig, LocalServer
from tests.conftest import own_settings

ROOT = Path(__file__).parent.parent
SIDE_BY_SIDE = 2
WORLDS, FACTS = "tests/property/test_visibility.py", "tests/integration/test_facts.py"
USE, WORDS = "tests/integration/test_use_counts.py", "tests/integration/test_changes_by_another.py"
FORGETTING, DOCUMENTS = "tests/integration/test_forgetting.py", "tests/integration/test_documents.py"
SHARING, USES = "tests/integration/test_sharing.py", "tests/integration/test_uses.py"
OWN_LOOK = "tests/integration/test_own_look.py"
UNIT = ("tests/unit/test_ids.py", "tests/unit/test_query_scope.py", "tests/unit/test_loader.py")
TESTS = (*UNIT, WORLDS)
SEARCHES = (*UNIT, f"{WORLDS}::test_every_read_path_shows_what_the_oracle_says")
"""The tests for weakenings in Python, of where a search looks and by which words."""
THOROUGH = ("--hypothesis-profile=thorough", "--timeout=0")
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "--timeout=3600")  # long: a timeout proves nothing

AS_OF, KNOWN_AT = "coalesce(viewpoint.as_of, $as_of)", "coalesce(viewpoint.known_at, $known_at)"

Edits = tuple[tuple[str, str, str], ...]
"""The name of each weakening, the text that it replaces, and the replacement."""

RULE: Mapping[str, Edits] = {
    "cypher/fragments/rule.cypher": (
        # What is valid at the two times of a read (M14).
        ("created_at dropped", f"m.created_at <= {KNOWN_AT}\n  AND ", ""),
        ("created_at later", f"m.created_at <= {KNOWN_AT}", f"m.created_at < {KNOWN_AT}"),
        ("retired_at dropped", f"AND m.retired_at > {KNOWN_AT} ", ""),
        ("retired_at later", f"m.retired_at > {KNOWN_AT}", f"m.retired_at >= {KNOWN_AT}"),
        ("expires_at dropped", f" AND m.expires_at > {KNOWN_AT}", ""),
        ("valid_from dropped", f"AND m.valid_from <= {AS_OF}\n  ", ""),
        ("the end dropped", f"(m.valid_until > {AS_OF} OR m.ended_at > {KNOWN_AT})", "true"),
        ("valid_until dropped", f"m.valid_until > {AS_OF} OR ", ""),
        ("valid_until later", f"m.valid_until > {AS_OF}", f"m.valid_until >= {AS_OF}"),
        ("ended_at dropped", f" OR m.ended_at > {KNOWN_AT}", ""),
        ("ended_at later", f"m.ended_at > {KNOWN_AT}", f"m.ended_at >= {KNOWN_AT}"),
        ("the end known at the other time", f"m.ended_at > {KNOWN_AT}", f"m.ended_at > {AS_OF}"),
        ("persona dropped", "m.persona_id IN ['', viewpoint.persona]", "true"),
        ("persona: nobody's left out", "IN ['', viewpoint.persona]", "IN [viewpoint.persona]"),
        ("persona: all of them for nobody", "viewpoint.every_persona OR ", ""),
        # Archived memories are found only by the search of the archive (R12).
        ("archived dropped", " AND m.status = coalesce(viewpoint.status, 'active')", ""),
        (
            "archived: also by other reads",
            "coalesce(viewpoint.status, 'active')",
            "coalesce(viewpoint.status, m.status)",
        ),
        # Whom a memory concerns: its subjects (P2).
        ("subjects: not whom it is about", "WHEN size(about) > 0 THEN about\n", "\n"),
        ("subjects: of a summary its owner", "WHEN m:Summary THEN [$viewer] ", ""),
        ("subjects: not the owner", "WHEN m.owner_id <> '' THEN [m.owner_id] ", ""),
        ("subjects: not the speaker", "ELSE [m.speaker_id] END", "ELSE [] END"),
        ("subjects: also the owner", "$viewer IN subjects AS mine", "$viewer IN (subjects + m.owner_id) AS mine"),
        # Who may reach a memory at all (P1).
        ("reach in a group: not one's own", "m.owner_id = $viewer OR m.chat_id", "m.chat_id"),
        ("reach in a group: not the chat's", "m.chat_id = viewpoint.group OR ", ""),
        ("reach in a group: every chat's", "m.chat_id = viewpoint.group OR", "m.chat_id <> '' OR"),
        ("reach in a group: about nobody", "viewpoint.group OR size(about) > 0 AND", "viewpoint.group OR"),
        ("reach in a group: not portable", "(m.portable OR m.learned_in = viewpoint.group)", "true"),
        ("reach in a group: learned here dropped", "m.portable OR m.learned_in = viewpoint.group", "m.portable"),
        ("reach alone: not one's own", "m.owner_id = $viewer OR size(about)", "size(about)"),
        ("reach alone: about nobody", "m.owner_id = $viewer OR size(about) > 0 AND", "m.owner_id = $viewer OR"),
        ("reach alone: not portable", "(m.portable OR m.learned_in = viewpoint.private)", "true"),
        # The space of the viewer (P7).
        (
            "space: another's in a group",
            "m.space_id IN ['', viewpoint.space] AS in_space_here",
            "true AS in_space_here",
        ),
        ("space: none's left out in a group", "IN ['', viewpoint.space]", "IN [viewpoint.space]"),
        ("space: in a group dropped", "AND in_space_here AND", "AND"),
        ("space: another's alone", "viewpoint.every_space OR m.space_id IN ['', viewpoint.within] AS", "true AS"),
        ("space: none's left out alone", "IN ['', viewpoint.within]", "IN [viewpoint.within]"),
        ("space: outside any chat none", "viewpoint.every_space OR m.space_id", "m.space_id"),
        ("space: alone dropped", "AND in_space_alone AND", "AND"),
        (
            "space: a space's memory in a chat without one",
            "IN ['', viewpoint.within]",
            "IN ['', coalesce(nullIf(viewpoint.within, ''), m.space_id)]",
        ),
        # What is shown in a group (P2).
        ("here dropped", "viewpoint.group IN [m.learned_in, m.chat_id] AS here", "true AS here"),
        ("here: not where it was learned", "IN [m.learned_in, m.chat_id]", "IN [m.chat_id]"),
        ("here: not the chat's", "IN [m.learned_in, m.chat_id]", "IN [m.learned_in]"),
        (
            "group: reach dropped",
            "viewpoint.group IS NOT NULL AND in_space_here AND reached_in_group AND",
            "viewpoint.group IS NOT NULL AND in_space_here AND",
        ),
        ("group: personal is public", "m.sensitivity = 'public' THEN", "m.sensitivity <> 'sensitive' THEN"),
        ("group: sensitive is public", "m.sensitivity = 'public' THEN", "m.sensitivity <> 'personal' THEN"),
        ("group: personal not by the subject", "m.sensitivity = 'personal' AND mine", "m.sensitivity = 'personal'"),
        ("group: sensitive from elsewhere", "m.sensitivity = 'personal' AND mine", "mine"),
        ("group: personal hidden from its subject", "m.sensitivity = 'personal' AND mine", "false"),
        ("group: no subject takes part", "ELSE here AND EXISTS {", "ELSE here OR here AND EXISTS {"),
        ("group: subject: only whom it is about", "subject.id IN subjects", "subject.id IN about"),
        ("group: subject before since", "AND part.since <= $now ", ""),
        ("group: subject after until", " AND part.until > $now", ""),
        ("group: subject at its until", "part.until > $now", "part.until >= $now"),
        ("group: subject at the read's time", "part.since <= $now", "part.since <= $known_at"),
        # Confided memories: only for the owner, the speaker and those who took part when they were said (P1).
        ("group: confided to all", "(m.confided IS NULL OR ", "(true OR "),
        ("group: confided before since", "present.since <= m.valid_from AND ", ""),
        ("group: confided after until", " AND present.until > m.valid_from", ""),
        ("group: confided to who is there today", "present.since <= m.valid_from", "present.since <= $now"),
        ("group: confided to who is invited", "[present:PARTICIPATES_IN]", "[present:PARTICIPATES_IN|INVITED_TO]"),
        ("group: confided not to who said it", "$viewer IN [m.owner_id, m.speaker_id] OR EXISTS", "EXISTS"),
        # What is shown to a viewer alone: in a private chat, or outside any chat (P2).
        ("alone: in a group too", "viewpoint.alone AND in_space_alone", "in_space_alone"),
        ("alone: reach dropped", "in_space_alone AND reached_alone", "in_space_alone"),
        ("alone: sensitive for all", "WHEN 'sensitive' THEN mine", "WHEN 'sensitive' THEN true"),
        ("alone: sensitive for the owner", "WHEN 'sensitive' THEN mine", "WHEN 'sensitive' THEN m.owner_id = $viewer"),
        ("alone: sensitive like personal", "WHEN 'sensitive' THEN mine", "WHEN '' THEN mine"),
        ("alone: personal is public", "(m.sensitivity = 'public' OR mine OR m.owner_id = $viewer)", "true"),
        ("alone: personal not for the subject", "OR mine OR", "OR"),
        (
            "disclosable: learned nowhere",
            "$legacy_disclosable AND m.source = 'migration'",
            "$legacy_disclosable OR true",
        ),
        ("disclosable: whatever the setting", "$legacy_disclosable AND", "($legacy_disclosable OR true) AND"),
        ("disclosable: all of old", "$legacy_disclosable AND m.source = 'migration'", "$legacy_disclosable"),
        ("disclosable: not about the viewer", "$viewer IN about OR ", ""),
        ("disclosable: not said by the viewer", "OR m.speaker_id = $viewer OR", "OR"),
        ("disclosable: not about nobody", " OR size(about) = 0 THEN", " THEN"),
        (
            "disclosable: old data from anywhere",
            "WHEN m.learned_in = '' THEN",
            "WHEN m.learned_in = '' OR $legacy_disclosable AND m.source = 'migration' THEN",
        ),
        ("disclosable: no old data", "$legacy_disclosable AND", "$legacy_disclosable AND false AND"),
        ("disclosable: to all", "        ELSE EXISTS {", "        ELSE true OR EXISTS {"),
        ("disclosable: before since", "part.since <= m.learned_at AND ", ""),
        ("disclosable: after until", " AND part.until > m.learned_at", ""),
        ("disclosable: at until", "part.until > m.learned_at", "part.until >= m.learned_at"),
        ("disclosable: taking part since", "part.since <= m.learned_at", "part.since <= $now"),
        ("disclosable: taking part today", "part.until > m.learned_at", "part.until > $now"),
        # Invited people do not take part until they accept (P6).
        (
            "group: subject: who is invited",
            "(subject:Person)-[part:PARTICIPATES_IN]",
            "(subject:Person)-[part:PARTICIPATES_IN|INVITED_TO]",
        ),
        (
            "disclosable: who is invited",
            "{id: $viewer})-[part:PARTICIPATES_IN]",
            "{id: $viewer})-[part:PARTICIPATES_IN|INVITED_TO]",
        ),
    ),
    # What replaces hearsay (W6).
    "cypher/fragments/visible.cypher": (
        ("outranked: shown all the same", "WHERE seen = [stated]", "WHERE stated IN seen"),
        (
            "outranked: by what is hidden",
            "seen = [stated]",
            "seen = [stated] AND NOT coalesce(stated.outranked, false)",
        ),
        # Summaries of several memories (M15).
        ("summary: whatever its sources", "holding = size(judged)", "holding > 0"),
    ),
    "cypher/fragments/viewpoint_of_request.cypher": (
        ("here: before since", "mine.since <= $now AND ", ""),
        ("here: after until", " AND mine.until > $now", ""),
        ("here: private like a group", "CASE c.kind WHEN 'group' THEN c.id END", "c.id"),
        ("here: alone in every chat", "alone: $chat = '' OR coalesce(c.kind = 'private', false)", "alone: true"),
        (
            "here: alone for who takes no part",
            "coalesce(c.kind = 'private', false)",
            "coalesce(c.kind = 'private', true)",
        ),
        ("here: who is invited", "[mine:PARTICIPATES_IN]", "[mine:PARTICIPATES_IN|INVITED_TO]"),
        (
            "here: anybody's part",
            "(me:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c:Chat {id: $chat})\n"
            "    USING INDEX SEEK me:Person(id) USING INDEX SEEK c:Chat(id)",
            "(me:Person WHERE me.id <> $viewer + 'x')-[mine:PARTICIPATES_IN]->(c:Chat {id: $chat})",
        ),
        # The persona of a request that names none (P1).
        (
            "here: one of several personas",
            "CASE WHEN first_persona = last_persona THEN",
            "CASE WHEN first_persona IS NOT NULL THEN",
        ),
        ("here: not the chat's persona", "CASE WHEN first_persona = last_persona THEN", "CASE WHEN false THEN"),
        ("here: every space in a chat", "every_space: $chat = '' AND $space IS NULL", "every_space: $space IS NULL"),
        ("here: every space within one", "every_space: $chat = '' AND $space IS NULL", "every_space: $chat = ''"),
        (
            "here: not the chat's space",
            "within: CASE $chat WHEN '' THEN $space ELSE coalesce(c.space_id, '') END",
            "within: ''",
        ),
        ("here: chats of other spaces", "AND ($space IS NULL OR coalesce(c.space_id, '') IN ['', $space])", ""),
        ("here: all personas for all", "every_persona: $every_persona", "every_persona: true"),
        ("here: all personas for nobody", "every_persona: $every_persona", "every_persona: false"),
    ),
    "cypher/fragments/my_chats.cypher": (
        ("my chats: before since", "mine.since <= $now AND ", ""),
        ("my chats: after until", " AND mine.until > $now", ""),
        ("my chats: who is invited", "[mine:PARTICIPATES_IN]", "[mine:PARTICIPATES_IN|INVITED_TO]"),
        (
            "my chats: of other spaces",
            "($space IS NULL OR coalesce(in_it.space_id, '') IN ['', $space])",
            "($space IS NULL OR true)",
        ),
        ("my chats: anybody's", "(:Person {id: $viewer})", "(p:Person WHERE p.id <> $viewer + 'x')"),
    ),
    "cypher/fragments/viewpoint_of_memory.cypher": (
        (
            "home: for who takes no part",
            "CASE WHEN home IN my_groups AND home IN chats_there THEN home",
            "CASE WHEN true THEN home",
        ),
        ("home: in no other group", "ELSE head([chat IN chats_there WHERE chat IN my_groups]) END", "END"),
        (
            "home: in any chat of a space's",
            "WHEN $space <> m.space_id THEN [] ELSE COLLECT {",
            "WHEN true THEN my_chats ELSE COLLECT {",
        ),
        ("home: all spaces within one", "every_space: $space IS NULL", "every_space: true"),
        ("home: no space outside a chat", "every_space: $space IS NULL", "every_space: false"),
        ("home: not the chat's", "CASE m.chat_id WHEN '' THEN m.learned_in ELSE m.chat_id END", "m.learned_in"),
        ("home: no persona's", "every_persona: true", "every_persona: false"),
        ("home: not where it was learned", "CASE m.chat_id WHEN '' THEN m.learned_in ELSE m.chat_id END", "m.chat_id"),
    ),
    # Which entities the viewer knows of, and by which names (M3, M15, P4).
    "cypher/fragments/known_of.cypher": (("known_of: what holds today alone", "  // include: at_any_time\n", ""),),
    "cypher/fragments/as_entity.cypher": (
        (
            "as_entity: the canonical name to all",
            "CASE WHEN met THEN [e.canonical_name] + coalesce(e.given_names, []) ELSE [] END",
            "[e.canonical_name]",
        ),
        ("as_entity: handles too", " AND NOT text STARTS WITH '@'", ""),
        ("as_entity: the shortest", "ORDER BY size(text) DESC, text", "ORDER BY size(text), text"),
    ),
    # What the viewer sees of a session.
    "cypher/fragments/as_session.cypher": (
        ("as_session: its own beginning", "started_at: first_said", "started_at: s.started_at"),
    ),
    "cypher/fragments/viewpoint_in_chat.cypher": (
        ("inside: within any space", "every_space: false", "every_space: true"),
        ("inside: alone within none", "within: coalesce(c.space_id, '')", "within: ''"),
        ("inside: a group within none", "space: coalesce(c.space_id, ''),\n  within", "space: '',\n  within"),
        ("inside: alone in a group", "alone: c.kind = 'private'", "alone: true"),
        ("inside: no persona's", "every_persona: $$persona IS NULL", "every_persona: false"),
        ("inside: all personas though one is named", "every_persona: $$persona IS NULL", "every_persona: true"),
    ),
    "cypher/fragments/own_memories.cypher": (
        ("mine: not one's chats'", "[$viewer] + my_chats AS scope", "[$viewer] AS scope"),
        ("mine: not about oneself", "<-[:ABOUT]-(m:Memory)", "<-[:ABOUT]-(m:Memory) WHERE false"),
        ("mine: twice", "\nUNION\n", "\nUNION ALL\n"),
    ),
    # The labels copied to ABOUT relationships, for the index there: without them it does not find a memory.
    "cypher/fragments/copy_to_about.cypher": tuple(
        (f"copy_to_about: no {name}", copied, copied.replace(f" .{name},", ""))
        for name, copied in (
            ("chat_id", ".owner_id, .chat_id, .learned_in, .sensitivity, .portable,"),
            ("learned_in", ".owner_id, .chat_id, .learned_in, .sensitivity, .portable,"),
            ("sensitivity", ".owner_id, .chat_id, .learned_in, .sensitivity, .portable,"),
            ("portable", ".owner_id, .chat_id, .learned_in, .sensitivity, .portable,"),
            ("created_at", ".source, .status, .type, .kind, .category, .created_at,"),
        )
    ),
    "cypher/fragments/may_label.cypher": (
        ("may_label: all may", "EXISTS { (m)-[:ABOUT]->(:Person {id: $viewer}) } AS", "true AS"),
        ("may_label: not the owner", "m.owner_id = $viewer OR ", ""),
        ("may_label: not who stated it", "OR m.speaker_id = $viewer OR", "OR"),
        ("may_label: not the subject", " OR EXISTS { (m)-[:ABOUT]->(:Person {id: $viewer}) }", ""),
    ),
    "cypher/memory/set_labels.cypher": (
        ("set_labels: who may not does", "AS portable WHERE allowed\n", "AS portable WHERE allowed OR true\n"),
    ),
    "cypher/fragments/set_labels.cypher": (
        ("set_labels: the facets stay", "// include: label_terms\n", ""),
        ("set_labels: copy_to_about left out", "// include: copy_to_about\n", ""),
        ("set_labels: sensitivity stays", "m.sensitivity = coalesce(sensitivity, m.sensitivity), ", ""),
    ),
    "cypher/fragments/label_terms.cypher": (
        ("label_terms: the old facet too", "NOT facet IN $label_terms.all]", "NOT facet IN $label_terms.all OR true]"),
    ),
    "cypher/fragments/nearest.cypher": (
        ("vector: about anybody", "each.person IN $concerned", "$concerned IS NOT NULL"),
    ),
    "cypher/search/query_scope.cypher": (
        ("standing: concerned who is invited", "[part:PARTICIPATES_IN]", "[part:PARTICIPATES_IN|INVITED_TO]"),
        ("standing: concerned before since", "part.since <= $now AND ", ""),
        ("standing: concerned after until", " AND part.until > $now", ""),
        ("standing: not the chat's persona", "viewpoint.persona AS persona", "$persona AS persona"),
        (
            "standing: told in a chat since left",
            "-[:PARTICIPATES_IN]->(once:Chat)",
            "-[part:PARTICIPATES_IN]->(once:Chat) WHERE part.until > $now",
        ),
    ),
    "cypher/browse/chat_memories.cypher": (("chat_memories: of any chat", "WHERE c.id IN my_chats\n", "\n"),),
    "cypher/todo/here.cypher": (
        ("todos: not the chat's persona's", "t.persona_id = viewpoint.persona", "t.persona_id = $persona"),
    ),
    "cypher/community/members.cypher": (
        ("communities: not the chat's persona's", "m.persona_id = viewpoint.persona", "m.persona_id = $persona"),
    ),
    "cypher/summary/here.cypher": (
        ("lately: all personas: one's alone", "CASE WHEN viewpoint.every_persona THEN", "CASE WHEN false THEN"),
        ("lately: all personas for all", "CASE WHEN viewpoint.every_persona THEN", "CASE WHEN true THEN"),
    ),
    "cypher/browse/session_turns.cypher": (("session_turns: of any chat", "WHERE c.id IN my_chats\n", "\n"),),
    "cypher/browse/memories_about.cypher": (
        ("memories_about: what is not portable", "AND m.portable AND", "AND"),
        ("memories_about: not left out", "m.owner_id <> $left_out", "m.owner_id <> $left_out + 'x'"),
    ),
    # Where a search looks. If that is too wide, the result is filtered later; if too narrow, memories are never found.
    "graph/retrieval/query_scope.py": (
        ("reach: words from anywhere", "+({near})^0", "({near})^0"),
        ("reach: words of anybody elsewhere", "+({far})^0", "({far})^0"),
        ("reach: words of the archive from anywhere", "+({near} {far})^0", "({near} {far})^0"),
        ("reach: not the persona's", '["", scope.persona]', '[""]'),
        ("reach: all personas: one's alone", "[_ANY] if viewer.every_persona else ", ""),
        ("reach: words: all personas: one's alone", "[] if viewer.every_persona else ", ""),
        ("reach: no second end at other times", "    if not present:", "    if False:"),
        ("reach: no space's", 'dict.fromkeys(["", scope.space])', "dict.fromkeys([scope.space])"),
        ("reach: none's alone", 'dict.fromkeys(["", scope.space])', '[""]'),
        ("reach: words: none's alone", "space_tokens(scope.space)[1:]", "space_tokens(scope.space)[2:]"),
        (
            "reach: about oneself the public alone",
            '(me, me), "sensitivity": _NOT_SENSITIVE',
            '(me, me), "sensitivity": _PUBLIC',
        ),
        ("reach: told here and portable", '"portable": (False, True)', '"portable": (True, True)'),
        (
            "reach: not what one said oneself",
            'yield _Place(Shape.SAID, {**public, "speaker": (me, me)})',
            "yield from ()",
        ),
        ("reach: words: one's own sensitive", "-(+facets:{sensitive} -facets:{here})", "-facets:{sensitive}"),
        (
            "reach: words: told here of oneself alone",
            "(+facets:{here} +facets:({concerned}))",
            "(+facets:{here} +facets:{token('about', me)})",
        ),
    ),
    "graph/access/labels.py": (
        ("labels: no facet of where it was learned", '        token("learned_in", learned_in),\n', ""),
        ("labels: no facet of whom it is about", '        *(token("about", person) for person in about),\n', ""),
    ),
    "graph/ids.py": (
        ("ids: ending in a letter", "{int(value[-1], 16) % 10}", "{value[-1]}"),
        (
            "ids: a token that is stemmed",
            'return derived_id("token", field, value)',
            'return derived_id("token", field, value) + "ed"',
        ),
        ("ids: one token for all fields", 'derived_id("token", field, value)', 'derived_id("token", value)'),
    ),
}
ASKING = (
    *(
        "memory/load",
        "search/full_text",
        "search/token_vectors",
        "search/nearest_parts",
        "fragments/nearest",
        "fact/explain",
    ),
    *("browse/memories", "browse/chat_memories", "browse/session_turns", "browse/memories_about"),
    *("fragments/known_of", "fragments/as_entity", "entity/relations", "stats/memories", "stats/entities"),
    *("entity/mentions", "entity/summaries", "timeline/of_entities", "timeline/of_chat", "context/pinned"),
    *("context/sources", "archive/search", "fact/weak", "merge/done"),
)
"""The statements that must apply the rule."""
IGNORED = "OPTIONAL CALL (m, viewpoint) {\n// include: visible\nRETURN true AS unheard\n}"
"""Includes the rule but ignores its result, which a check for the mere include would not notice."""
SEEN = (ROOT / "cypher/fragments/seen_memory.cypher").read_text("utf-8").partition("\n\n")[2]
"""The body of the fragment that statements on one memory include."""


@dataclass(frozen=True)
class Weakening:
    """A replacement of `find` in one file, and the tests that must notice it, the quickest first."""

    name: str
    file: str
    find: str
    replacement: str
    tests: tuple[str, ...] = TESTS

    @contextmanager
    def done(self, tree: Path) -> Iterator[None]:
        """Makes the weakening in a tree while the context is open."""
        file = tree / self.file
        text = file.read_text("utf-8")
        file.write_text(text.replace(self.find, self.replacement), "utf-8")
        try:
            yield
        finally:
            file.write_text(text, "utf-8")


WEAKENINGS = (
    *(
        Weakening(name, file, find, new, TESTS if file.endswith(".cypher") else SEARCHES)
        for file, edits in RULE.items()
        for name, find, new in edits
    ),
    *(
        Weakening(f"own look: {what}", f"cypher/fragments/{name}.cypher", find, new, (OWN_LOOK,))
        for what, name, find, new in (
            ("in a group of another space", "visible", " WHERE m.space_id IN ['', each.space]", ""),
            ("before since", "viewpoint_of_request", "part.since <= $now AND ", ""),
            ("after until", "viewpoint_of_request", " AND part.until > $now", ""),
            ("who is invited", "viewpoint_of_request", "[part:PARTICIPATES_IN]", "[part:PARTICIPATES_IN|INVITED_TO]"),
            ("with one persona", "viewpoint_of_request", "$chat = '' AND $every_persona AND", "$chat = '' AND"),
            ("in a chat", "viewpoint_of_request", "$chat = '' AND $every_persona AND", "$every_persona AND"),
            ("in groups of every space", "viewpoint_of_request", "coalesce(g.space_id, '') IN ['', $space]", "true"),
        )
    ),
    # In the worlds everybody has an account, and so is known to all.
    Weakening(
        "known_of: whoever shares no chat",
        "cypher/fragments/known_of.cypher",
        "WHERE shared.id IN my_chats }",
        "}",
        (FACTS,),
    ),
    *(
        Weakening(f"rule ignored: {name}", f"cypher/{name}.cypher", "// include: visible", IGNORED, (WORLDS,))
        for name in ASKING
    ),
    *(
        Weakening(
            f"rule ignored: {name}",
            f"cypher/{name}.cypher",
            "// include: seen_memory\n",
            SEEN.replace("// include: visible", IGNORED),
            (tests,),
        )
        for tests, names in (
            (WORLDS, ("memory/set_labels",)),
            (FACTS, ("fact/correct", "fact/confirm", "fact/pin", "fact/update", "fact/forget")),
            (SHARING, ("fact/shareable",)),
        )
        for name in names
    ),
    *(
        Weakening(f"rule ignored: {name}", f"cypher/{name}.cypher", "// include: visible", IGNORED, (tests,))
        for name, tests in (("fact/unshare", SHARING), ("use/of_memory", USES))
    ),
    *(
        Weakening(f"others' weights: {what}", f"cypher/{name}.cypher", find, new, (WORLDS,))
        for what, name, find, new in (
            ("importance", "fragments/effective_importance", "WHEN NOT weighed THEN 1", ""),
            ("pins", "fragments/effective_importance", "WHEN pinned_by_viewer", "WHEN m.pinned"),
            (
                "pins on cards",
                "entity/cards",
                "visible\n  WITH * ORDER BY pinned_by_viewer",
                "visible\n  WITH * ORDER BY m.pinned",
            ),
            ("pins in contexts", "context/pinned", " AND $viewer IN m.pinned_by", ""),
        )
    ),
    *(
        Weakening(f"others' use: {what}", f"cypher/{name}.cypher", find, new, (USE,))
        for what, name, find, new in (
            ("their score ranks", "fragments/own_score", "m.owner_id = $viewer AS own", "true AS own"),
            ("their recalls rank", "fragments/own_recall", "m.owner_id = $viewer AS own", "true AS own"),
            ("they move the score", "fact/change_score", "WITH m WHERE m.owner_id = $viewer", "WITH m"),
            (
                "their score is shown",
                "fragments/memory_values",
                "CASE m.owner_id WHEN $viewer THEN m.score ELSE 0 END",
                "m.score",
            ),
            ("their recalls steady", "recall/reinforce", "coalesce(row.readers[m.owner_id], 0)", "row.times"),
            (
                "their recalls join",
                "recall/reinforce",
                "{id: pair.one, owner_id: pair.reader}), (other:Memory {id: pair.other, owner_id: pair.reader})",
                "{id: pair.one}), (other:Memory {id: pair.other})",
            ),
        )
    ),
    *(
        Weakening(
            f"others' words: what they said of themselves {what}", "cypher/fact/restate.cypher", find, new, (WORDS,)
        )
        for what, find, new in (
            (
                "is retired",
                "WITH old, m WHERE NOT of_themselves\n  SET old.retired_at",
                "WITH old, m\n  SET old.retired_at",
            ),
            ("loses its key", "WITH old AS m WHERE NOT of_themselves", "WITH old AS m"),
        )
    ),
    Weakening(
        "rule ignored: fact/forget, its turns",
        "cypher/fact/forget.cypher",
        "// include: visible",
        IGNORED,
        ("tests/integration/test_corrections.py",),
    ),
    Weakening(
        "rule ignored: forgetting/select", "cypher/forgetting/select.cypher", "// include: visible", IGNORED, (WORLDS,)
    ),
    *(
        Weakening(f"forgetting many: {what}", f"cypher/forgetting/{name}.cypher", find, new, (FORGETTING,))
        for what, name, find, new in (
            ("others' words in a group", "select", " AND (m.speaker_id = $viewer OR", " AND (true OR"),
            (
                "who left the group",
                "forget",
                "m.owner_id = $viewer OR m.chat_id IN my_chats AS allowed",
                "true AS allowed",
            ),
            (
                "another's plan",
                "request",
                "{id: $forgetting_id, person_id: $viewer}",
                "{id: $forgetting_id + left($viewer, 0)}",
            ),
        )
    ),
    *(
        Weakening(f"documents: {what}", "cypher/document/retire.cypher", find, new, (DOCUMENTS,))
        for what, find, new in (
            ("what others said in the session", "m.import_id = $import_id", "$import_id <> ''"),
            ("who left the group", "// include: may_change\n", "WITH *, true AS allowed\n"),
        )
    ),
    Weakening(
        "standing: where one takes no part",
        "cypher/search/query_scope.cypher",
        " WHERE viewpoint.alone OR viewpoint.group IS NOT NULL",
        "",
        ("tests/integration/test_search.py", "-k", "hidden"),
    ),
    Weakening(
        "entities: all there are",
        "cypher/fragments/known_of.cypher",
        "WITH * WHERE met OR named",
        "WITH *",
        (WORLDS,),
    ),
)


@dataclass(frozen=True)
class Verdict:
    """The result of a run of tests. `caught_by` is the test that failed, with the read path; None if all passed, empty
    if unknown. `output` is what was printed. With `broken` the failure has another reason than the rule.
    """

    caught_by: str | None
    seconds: float
    output: str
    broken: bool = False


# Any test would catch a statement that the loader or the database refuses, so such a failure proves nothing.
_BROKEN = re.compile(r"(StatementError|Database(Failed|Refused|Unavailable)|SyntaxError|ImportError|NameError)\b")
_FAILED = re.compile(r"^(FAILED|ERROR) \S*?([^/\s]+?)(?: - (.*))?$", re.MULTILINE)
_READ_PATH = re.compile(r"AssertionError: \('([^']+)', View")


@dataclass(frozen=True)
class Trial:
    """A copy of the working tree, and a database for its tests."""

    tree: Path
    neo4j: str

    def judge(self, tests: Iterable[str], *more: str) -> Verdict:
        """Runs tests until one fails; `more` are further arguments of pytest."""
        shutil.rmtree(self.tree / ".hypothesis", ignore_errors=True)  # a run must not reuse examples of another
        begin = time.monotonic()
        command = [sys.executable, "-m", "pytest", *OPTIONS, f"--neo4j={self.neo4j}"]
        environment = {**os.environ, "PYTHONPATH": str(self.tree), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "1000"}
        run = subprocess.run(
            [*command, *more, *tests], cwd=self.tree, env=environment, capture_output=True, text=True, check=False
        )
        seconds, output = time.monotonic() - begin, run.stdout + run.stderr
        if run.returncode == 0:
            return Verdict(None, seconds, output)
        if run.returncode != 1 or (failed := _FAILED.search(output)) is None:
            return Verdict("", seconds, output, broken=True)
        reason = failed[3] or ""
        path = _READ_PATH.search(reason)
        where = f"{failed[2]} ({path[1]})" if path else failed[2]
        return Verdict(where, seconds, output, broken=bool(_BROKEN.search(reason)) or "Timeout" in reason)


def copy(tree: Path) -> None:
    """Copies the files that git tracks, and untracked ones that it does not ignore, to `tree`."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for file in filter(None, listed.stdout.split("\0")):
        if (ROOT / file).exists():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, tree / file, follow_symlinks=False)  # the package consists of links to folders


@contextmanager
def trial() -> Iterator[Trial]:
    """Yields a copy of the working tree with a server of its own."""
    with tempfile.TemporaryDirectory(prefix="weaken-") as name:
        copy(tree := Path(name, "tree"))
        # The query plans of a hundred weakened rules fill a small heap.
        server = LocalServer(LocalConfig(Path(name, "neo4j"), Settings().cache_dir, heap_mb=2048))
        there = server.start()
        try:
            yield Trial(tree, there.uri.replace("://", f"://{there.user}:{there.password}@"))
        finally:
            server.stop()


def checked(weakenings: Iterable[Weakening], tree: Path) -> None:
    """Exits if the file of a weakening does not contain the text to replace exactly once."""
    for each in weakenings:
        if (tree / each.file).read_text("utf-8").count(each.find) != 1:
            sys.exit(f"{each.name}: the rule has changed: mend this entry ({each.file} has not once: {each.find!r})")


def told(each: Weakening, verdict: Verdict) -> bool:
    """Prints a row of the table, or the output of a broken run; returns whether the weakening was caught."""
    if verdict.broken:
        print(f"{verdict.output[-5000:]}\n{each.name}: this breaks more than the rule: mend this entry", flush=True)
        return False
    print(f"{each.name:42} {verdict.caught_by or 'SURVIVES':98} {verdict.seconds:6.1f}", flush=True)
    return verdict.caught_by is not None


async def unnoticed(weakenings: Sequence[Weakening], tree: Path, data: Path) -> list[Weakening]:
    """Returns the weakened statements that are not noticed in the worlds that are laid out once."""
    from scripts.weakened_worlds import laid_out

    # The query plans of a hundred weakened rules fill a small heap.
    settings, left = own_settings(data, ner_model="none").model_copy(update={"neo4j_heap_mb": 2048}), []
    async with (
        open_service(settings, statements=load_statements()) as service,
        laid_out(service, tree / "cypher") as worlds,
    ):
        for each in weakenings:
            begin = time.monotonic()
            try:
                with each.done(tree):
                    path = await worlds.wrong_path()
                verdict = Verdict(path and f"worlds laid out ({path})", time.monotonic() - begin, "")
            except (StatementError, HippographError) as error:
                verdict = Verdict("", time.monotonic() - begin, str(error), broken=True)
            if not told(each, verdict):
                left.append(each)
    return left


def caught(each: Weakening, ground: Trial) -> bool:
    """Whether the tests notice a weakening, if need be in ten times as many worlds. False if it is broken."""
    with each.done(ground.tree):
        verdict = ground.judge(each.tests)
        if told(each, verdict) or verdict.broken:
            return not verdict.broken
        return told(each, ground.judge(each.tests, *THOROUGH))


def survivors(weakenings: Sequence[Weakening]) -> list[Weakening]:
    """Returns the weakenings that the tests do not notice; tries `SIDE_BY_SIDE` at a time. Exits if the tests fail
    without any.
    """
    with ExitStack() as stack:
        grounds = SimpleQueue[Trial]()
        for _ in range(SIDE_BY_SIDE):
            grounds.put(ground := stack.enter_context(trial()))
        # Without `WORLDS`: that the unweakened worlds are right was checked when they were laid out.
        tests = {test for each in weakenings for test in each.tests if test.startswith("tests/")} - {WORLDS}
        if (as_it_is := ground.judge(tests)).caught_by is not None:
            sys.exit(f"{as_it_is.output[-5000:]}\nthe tests fail as they are: mend that first")

        def tried(each: Weakening) -> bool:
            ground = grounds.get()
            try:
                return caught(each, ground)
            finally:
                grounds.put(ground)

        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            noticed = list(pool.map(tried, weakenings))
    return [each for each, is_noticed in zip(weakenings, noticed, strict=True) if not is_noticed]


def main(words: list[str]) -> None:
    """Tries all weakenings, or those whose names contain one of the words. Exits with 1 if the tests miss any."""
    chosen = [each for each in WEAKENINGS if not words or any(word in each.name for word in words)]
    in_worlds = [each for each in chosen if each.file.endswith(".cypher") and WORLDS in each.tests]
    with tempfile.TemporaryDirectory(prefix="weaken-") as name:
        copy(tree := Path(name, "tree"))
        checked(WEAKENINGS, tree)
        left = asyncio.run(unnoticed(in_worlds, tree, Path(name, "data"))) if in_worlds else []
    others = [each for each in chosen if each not in in_worlds or each in left]
    missed = survivors(others) if others else []
    print(f"{len(chosen)} weakenings, {len(chosen) - len(missed)} caught, {len(others)} of all by tests alone")
    if missed:
        sys.exit(f"the tests miss: {'; '.join(each.name for each in missed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
