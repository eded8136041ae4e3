"""Checks of all Cypher statements and API modules: statements that read memories include the visibility rule, and no
request can act as the service.
"""

import ast
import re
from pathlib import Path

from hippograph import cypher

_FRAGMENTS = Path(cypher.__file__).parent / "fragments"
RULE = (_FRAGMENTS / "rule.cypher").read_text("utf-8").partition("\nWITH ")[2].strip()
BEFORE, AFTER = (_FRAGMENTS / "visible.cypher").read_text("utf-8").partition("\nWITH ")[2].split("// include: rule")
"""The text of the fragment `rule`, and the parts of the fragment `visible` before and after it."""

INTERNAL = {
    "community/estimate": "reckons the size of what community/sources let through",
    "community/project": "joins what community/sources let through",
    "community/write": "writes what was found in what community/sources let through",
    "consolidation/": "works out what was said, on nobody's behalf; only who takes part in a chat may ask for it",
    "causes/": "infers what caused what within a session, on nobody's behalf",
    "conflict/": "looks on nobody's behalf for facts of one scope that contradict each other, or that who told them "
    "takes back; shows nothing of them",
    "check/": "the doctor, for who runs the service",
    "enrichment/": "vectors and names, on nobody's behalf",
    "feed/": "ids of what is new, on nobody's behalf; browse/memories says which of them somebody sees",
    "queue/": "what waits for a job, on nobody's behalf; of what is the viewer's own how much that is",
    "export/nodes": "the export of everything, for who runs the service; that of one person reads export/seen_*",
    "export/relationships": "of nodes that are in the export already, to such nodes",
    "export/load_relationships": "puts what was exported into an empty graph, for who runs the service",
    "document/list": "the names of what the viewer imported, by a key that is made of their id",
    "document/retire": "retires what the viewer imported, if they may still change it; shows how much that was",
    "erasure/": "erases a person, for themselves or an administrator; shows counts and ids of what is about them, and "
    "words to an administrator alone",
    "forgetting/finish": "ends it",
    "forgetting/list": "the viewer's own acts of forgetting: counts, and ids of examples",
    "forgetting/forget": "retires what forgetting/select let through, if its person may still change it",
    "forgetting/undo": "believes it again",
    "forgetting/purge": "deletes it; what it shows makes hashes and names, for nobody",
    "forgetting/request": "puts an act of the viewer's on the queue",
    "server/": "asks the server what it can do: it is planned alone, or taken back",
    "upkeep/": "what is done by a schedule, on nobody's behalf; and emptying benchmarks' and tests' graphs",
    "fact/known": "what a write compares with, under its locks; nothing of it is shown but what the rule lets through",
    "fact/lock": "whether too much waits of the owner or group that is written to; shows nothing else",
    "fact/imported": "whether statements of a file were stored before, by keys that the file makes; shows keys alone",
    "fact/create": "writes what the plan of graph.writing.supersession says",
    "fact/change_end": "writes what the plan of graph.writing.supersession says",
    "fact/name": "notes on facts that are being written whom they name",
    "fact/restate": "writes in the viewer's name what fact/correct let through, in its locks",
    "fact/repeat": "writes what the plan of graph.writing.supersession says",
    "fact/shares": "where the viewer shared what is their own",
    "fact/share": "links a copy that was just written to what fact/shareable let through, in its locks",
    "fact/set_tags": "writes the tags of a memory that fact/tags let through, under its lock",
    "memory/record_turns": "writes what the viewer says; who may speak in a chat is the fragment may_act",
    "merge/lock": "says of people whether they have memories of their own, which a merge then refuses, and of things "
    "whether others know them, which makes a merge a suggestion",
    "merge/readdress": "moves what is about an entity to another, whoever may see it; nothing of it is shown",
    "merge/merge": "moves what is about an entity to another, whoever may see it; nothing of it is shown",
    "merge/readdress_back": "moves it back; nothing of it is shown",
    "merge/unmerge": "moves it back",
    "model/queue_owed": "puts sessions on the queue, on nobody's behalf",
    "people/create_person": "puts a person on the queue for the sounds of their names; keeps from who gets an "
    "account what others told in private, and shows nothing of it",
    "people/create_chat": "keeps from who takes part what others told in private; nothing of it is shown",
    "people/join_chat": "keeps from who takes part what others told in private; nothing of it is shown",
    "people/export_memories": "what is theirs, for themselves; what others tell of them is people/export_told",
    "people/export_uses": "ids of what their assistant was told, for themselves",
    "reembedding/": "vectors of another model, on nobody's behalf",
    "people/same_person": "the ids of a person, for their erasure and export",
    "people/rename": "puts a person on the queue for the sounds of their names",
    "recall/": "notes what reads returned, on nobody's behalf",
    "use/of_viewer": "ids of what the viewer was told; browse/memories says which of them they see still",
    "session/close": "puts sessions on the queue",
    "session/close_idle": "puts sessions on the queue, on nobody's behalf",
    "space/delete": "whether anything belongs to a space of the viewer's; shows nothing of it",
    "space/move_page": "moves what was said in a chat that space/set_chat let through; shows ids to nobody",
    "summary/request": "hands a worker what a summary is to be of",
    "todo/close_done": "closes what people say to be done, on nobody's behalf",
    "todo/found_facts": "habits, promises and plans that become todos of whose they are, on nobody's behalf",
    "todo/write_found": "writes them",
    "summary/queue_missing": "asks for summaries, on nobody's behalf",
    "summary/queue_session": "asks for summaries, on nobody's behalf",
    "summary/queue_stale": "asks for summaries, on nobody's behalf",
    "summary/queue_stale_talk": "asks for summaries, on nobody's behalf",
    "summary/queue_talk": "asks for summaries, on nobody's behalf",
    "summary/write": "writes a summary of what summary/sources let through",
    "summary/write_talk": "writes a summary of what summary/session_sources or summary/rolling_sources let through",
}
"""Statements that may touch memories without the rule, by name, or by area with a slash, and the reason."""

_OF_ONES_OWN = {"state/session_state"}
"""Statements that also count the viewer's own turns in their own chats, which needs no rule."""

_MEMORIES = re.compile(
    r":(?:Memory|Episodic|Semantic|Procedural|Opinion|Pending|Failed|Archived|ABOUT|MENTIONS)\b"
    r"|'(?:memory|archived)_fulltext'|(?:memory|about)_vector"
)


def touching() -> dict[str, str]:
    """Returns the texts of the statements that touch memories or links to them, by name."""
    texts = {name: statement.text.replace("$given.", "$") for name, statement in cypher.load().items()}
    return {name: text for name, text in texts.items() if _MEMORIES.search(re.sub(r"//.*", "", text))}


def is_internal(name: str) -> bool:
    """Whether `INTERNAL` has the statement or its area."""
    return name.partition(".")[0] in INTERNAL or f"{name.partition('/')[0]}/" in INTERNAL


def test_each_exemption_is_of_a_statement() -> None:
    """Each entry of `INTERNAL` names a statement that touches memories, or an area that has one."""
    exempt = set(filter(is_internal, touching()))
    used = {name.partition(".")[0] for name in exempt} | {f"{name.partition('/')[0]}/" for name in exempt}
    assert set() == INTERNAL.keys() - used


def test_whatever_touches_memories_holds_the_rule() -> None:
    """Every statement that touches memories includes the visibility rule, except those in `INTERNAL`."""
    without = {
        name
        for name, text in touching().items()
        if not is_internal(name) and not (RULE in text and BEFORE.strip() in text and AFTER.strip() in text)
    }
    # Creating or dropping an index reads nothing.
    assert set() == {name for name in without if not name.startswith(("schema/create_", "schema/drop_"))}


def test_the_rule_comes_before_what_is_returned() -> None:
    """No statement counts or returns memories before the rule."""
    for name, text in touching().items():
        if not is_internal(name) and name not in _OF_ONES_OWN and not name.startswith("schema/"):
            before = text[: text.index(RULE)]
            assert not re.search(r"\bcount\(|\bRETURN m \{|\bAS memory\b", before), name


def test_the_words_of_an_erasure_are_read_for_administrators_alone(root: Path) -> None:
    """The methods of an erasure that show others' words check that an administrator asks. The statements that read
    these words are run only there and in methods that show them to nobody.
    """
    tree = ast.parse((root / "graph" / "transfer" / "erasure.py").read_text("utf-8"))
    asked = {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)}
    for name in ("undecided", "undecided_erasure", "places", "decide"):
        assert "_check_admin(actor)" in asked[name], name
    assert {"_finish_plan", "places"} == {name for name, text in asked.items() if "'erasure/places'" in text}
    assert {"_undecided_row", "undecided"} == {name for name, text in asked.items() if "'erasure/undecided'" in text}


def test_internal_statements_are_not_reached_from_requests(root: Path) -> None:
    """No module in `api` runs a statement itself; it calls the domain, which takes a viewer."""
    for file in (root / "api").rglob("*.py"):
        text = file.read_text("utf-8")
        assert not re.search(r"database\.(?:run|one|transaction)\(", text), file


def test_no_request_can_ask_as_the_service(root: Path) -> None:
    """Only the composition root imports `INTERNAL`, the actor that skips checks; no module that reads requests does."""
    naming = set()
    for file in (root / "api").rglob("*.py"):
        imports = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
        names = {name.name for node in imports if node.module == "hippograph.graph.model" for name in node.names}
        if names & {"INTERNAL", "Internal"}:
            naming.add(file.name)
    assert {"composition.py"} == naming
