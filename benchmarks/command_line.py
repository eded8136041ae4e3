"""The commands `hippograph bench …`. They measure on a Neo4j of their own, never on the user's graph."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from benchmarks import privacy as privacy_bench
from benchmarks.environment import Machine, Report, Row, empty_service, machine
from benchmarks.quality import answers as answers_bench
from benchmarks.quality import entities as entities_bench
from benchmarks.quality import extraction as extraction_bench
from benchmarks.quality import intents as intents_bench
from benchmarks.quality import names as names_bench
from benchmarks.quality import retrieval as retrieval_bench
from benchmarks.quality import truth as truth_bench
from benchmarks.quality.labelled import Form, read_labelled
from benchmarks.quality.long_texts import with_long_texts
from benchmarks.speed import communities as communities_bench
from benchmarks.speed import faults as faults_bench
from benchmarks.speed import hostile as hostile_bench
from benchmarks.speed import nightly as nightly_bench
from benchmarks.speed import soak as soak_bench
from benchmarks.speed import speed as speed_bench
from benchmarks.speed import transfer as transfer_bench
from hippograph.api.cli.data import read_dialogues, sample_file
from hippograph.api.cli.output import out, print_json, progress, run
from hippograph.api.cli.reading import read_settings
from hippograph.api.models.query_models import classifier_of, embedder_of
from hippograph.api.service import Service
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.language import load_language
from hippograph.nlp.names.recognition import NameFinder

app = typer.Typer(
    help="Measure, on a Neo4j of its own, in a folder of HIPPOGRAPH_CACHE_DIR that no other run has meanwhile; "
    "HIPPOGRAPH_DATA_DIR and HIPPOGRAPH_NEO4J_URI are not used.",
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON alone on standard output.")]
Files = Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Files of dialogues or passages.")]


@app.command()
def retrieval(
    files: Files,
    fusion: Annotated[str | None, typer.Option(help="The fusion to measure: context or rrf.")] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Ask with other profiles, without routes and hops too.")
    ] = False,
    contexts: Annotated[
        bool, typer.Option("--contexts", help="Ask for contexts of 1,000 and 3,000 tokens too; not with --compare.")
    ] = False,
    long: Annotated[
        int | None, typer.Option(min=1, help="Hide each answer in a text of so many characters, by its place there.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure how much of the evidence a search finds, by category: recall@2/5/10/25, hit@5, all@10, MRR, nDCG@10, and
    recall@1/3/5 of sessions."""
    if compare and contexts:
        raise typer.BadParameter("--contexts measures the search as set: run it without --compare")

    async def work() -> list[retrieval_bench.Measured]:
        rows = []
        with progress("Fetching") as report:
            async with empty_service(settings, report) as service:
                for file, content in contents.items():
                    with progress("") as step:
                        rows += await retrieval_bench.measure(
                            service, file.stem, content, step, compare=compare, contexts=contexts
                        )
        return rows

    settings, contents = read_settings(fusion=fusion), {file: read_dialogues(file) for file in files}
    if long:
        contents = {file: with_long_texts(content, long) for file, content in contents.items()}
    where, rows = machine(), run(work())
    if json:
        print_json({"machine": where, "rows": rows})
        return
    out.table(
        _title(where, f"retrieval, {settings.fusion}"),
        [
            ("file", False),
            ("way", False),
            ("category", False),
            *((name, True) for name in ("questions", *rows[0].measures)),
        ],
        [
            (
                row.file,
                row.way,
                row.category,
                str(row.questions),
                *(f"{value * 100:.1f}" for value in row.measures.values()),
            )
            for row in rows
        ],
    )


@app.command()
def answers(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Dialogues; a question's category is its intent.")
    ],
    json: Json = False,
) -> None:
    """Measure how much of the evidence a search finds with and without routing by the intent of the question."""
    content = read_dialogues(file)
    _measure(
        f"answers, {file.stem}",
        lambda service, report: answers_bench.measure(service, file.stem, content, report),
        json,
    )


@app.command()
def speed(
    file: Annotated[
        Path | None,
        typer.Argument(exists=True, dir_okay=False, help="Dialogues whose import is timed; else the sample."),
    ] = None,
    json: Json = False,
) -> None:
    """Time writes and searches, and their parts alone for comparison. Needs the extra `bench`; takes ten minutes."""
    dialogues = read_dialogues(file or sample_file())
    _measure("speed", lambda service, report: speed_bench.measure(service, dialogues, report), json)


@app.command()
def privacy(json: Json = False) -> None:
    """Measure the cost of the access rule, and the recall of searches under it; takes eight minutes."""
    _measure("privacy", privacy_bench.measure, json)


@app.command()
def nightly(json: Json = False) -> None:
    """Time nightly upkeep of 100,000 memories, searches meanwhile, recalls and a summary; takes ten minutes."""
    said = read_dialogues(sample_file())
    _measure("nightly", lambda service, report: nightly_bench.measure(service, said, report), json)


@app.command()
def communities(
    memories: Annotated[int, typer.Option(help="How many memories the group has.", min=1_000)] = 100_000,
    json: Json = False,
) -> None:
    """Time finding, storing and reading the communities of one group; takes four minutes."""
    _measure("communities", lambda service, report: communities_bench.measure(service, memories, report), json)


@app.command()
def faults(
    rounds: Annotated[int, typer.Option(help="How often something is killed.", min=0)] = 50,
    away: Annotated[float, typer.Option(help="For how many seconds the database hangs afterwards.", min=0)] = 0,
    neighbours: Annotated[int, typer.Option(help="How many processes take the processor meanwhile.", min=0)] = 0,
    json: Json = False,
) -> None:
    """Kill the database, the service and the worker under load, and count what is lost; takes half an hour."""
    planned = faults_bench.Faults(rounds, away, neighbours)
    _measure("faults", lambda service, report: faults_bench.measure(service, planned, report), json)


@app.command()
def soak(
    minutes: Annotated[float, typer.Option(help="How long.", min=1)] = 60,
    rate: Annotated[float, typer.Option(help="Requests a second: three writes to a search and a context.", min=1)] = 10,
    json: Json = False,
) -> None:
    """Write, search and ask for contexts at a steady rate for a long time, and watch latency and memory."""
    _measure("soak", lambda service, report: soak_bench.measure(service, minutes, rate, report), json)


@app.command()
def hostile(json: Json = False) -> None:
    """Send all hostile texts to all entry points, and time another client's requests meanwhile; takes ten minutes."""
    _measure("hostile", hostile_bench.measure, json)


@app.command()
def transfer(
    messages: Annotated[int, typer.Option(help="Messages of the chat that is imported.", min=1)] = 50_000,
    memories: Annotated[int, typer.Option(help="Memories of the graph that is exported.", min=1)] = 100_000,
    json: Json = False,
) -> None:
    """Import a WhatsApp chat, search over MCP and in GraphQL, export a graph and import it; takes an hour."""
    said = read_dialogues(sample_file())
    with tempfile.TemporaryDirectory() as folder:
        _measure(
            "transfer",
            lambda service, report: transfer_bench.measure(service, said, messages, memories, Path(folder), report),
            json,
        )


@app.command()
def extraction(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="The folder of the labels of frames.")],
    json: Json = False,
) -> None:
    """Measure how many labelled frames are found, in sets that the tagger was not trained on. The verifier was.

    No database.
    """
    where, settings = machine(), read_settings()
    some = [each for each in extraction_bench.dialogues(folder) if each.set_name in extraction_bench.LEFT_OUT]
    extractor = LocalExtractor(load_language(settings.ner_model))
    with progress("") as report:
        rows = extraction_bench.measure(extractor, some, settings.extraction_confidence_threshold, report)
    _print_rows("extraction", where, rows, json)


@app.command()
def truth(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Judged conversations, one a line.")],
    unjudged: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Writes what is found and not judged yet to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure how much of what is found is true, trivial, of a wrong subject, wrong or a fragment, judged by a reader.

    No database.
    """
    where, settings = machine(), read_settings()
    sample = [each for file in files for each in _labelled(file, truth_bench.JudgedConversation, "extraction")]
    extractor = LocalExtractor(load_language(settings.ner_model))
    with progress("") as report:
        found = list(truth_bench.find(extractor, sample, settings.extraction_confidence_threshold, report))
    if unjudged is not None:
        known = truth_bench.verdicts(sample)
        left = [each.model_dump_json() for each in found if truth_bench.verdict(known, each) is None]
        unjudged.write_text("".join(f"{line}\n" for line in left), "utf-8")
    _print_rows("truth", where, truth_bench.measure(sample, found), json)


@app.command()
def entities(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Labelled pairs, one a line.")],
    json: Json = False,
) -> None:
    """Measure entity linking on labelled pairs: precision, recall and F1. No database."""
    where, pairs = machine(), _labelled(file, entities_bench.LabelledPair, "entities")
    with progress("") as report:
        rows = entities_bench.measure(pairs, report)
    _print_rows(f"entities, {file.stem}", where, rows, json)


@app.command()
def intent(
    file: Annotated[
        Path | None, typer.Argument(exists=True, dir_okay=False, help="Labelled questions, one a line.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure how often the intent of questions is recognized; without a file, of exemplars left out. No database."""
    where, settings = machine(), read_settings()
    questions = _labelled(file, intents_bench.LabelledQuestion, "intents") if file else []
    with progress("") as report:
        embedder = embedder_of(settings, report)
        if embedder is None:
            raise typer.BadParameter("no embedding model is set: HIPPOGRAPH_EMBEDDING_MODEL is none")
        rows = intents_bench.measure(embedder, classifier_of(settings, embedder), questions, report)
    _print_rows(f"intent, {file.stem if file else 'exemplars'}", where, rows, json)


@app.command()
def names(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file of texts with their names.")],
    json: Json = False,
) -> None:
    """Measure how many names are found in the texts of a file, and with the right type. No database."""
    where, settings = machine(), read_settings()
    texts = _labelled(file, names_bench.NamedText, "names")
    with progress("") as report:
        rows = names_bench.measure(NameFinder(load_language(settings.ner_model)), texts, report)
    _print_rows(f"names, {file.stem}", where, rows, json)


def _labelled(file: Path, form: type[Form], folder: str) -> list[Form]:
    try:
        return read_labelled(file, form)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise typer.BadParameter(
            f"{file}, line {place}: {first['msg']}; tests/benchmark/{folder}/README.md says how it is written"
        ) from error


def _measure(title: str, measure: Callable[[Service, Report], Awaitable[list[Row]]], json: bool) -> None:
    """Measures on an empty graph, and prints the rows."""

    async def work() -> list[Row]:
        with progress("", lines=True) as report:
            async with empty_service(settings, report) as service:
                return await measure(service, report)

    settings = read_settings()
    _print_rows(title, machine(), run(work()), json)


def _print_rows(title: str, where: Machine, rows: list[Row], json: bool) -> None:
    """Prints rows as JSON or as a table. Each row may have different numbers."""
    if json:
        print_json({"machine": where, "rows": rows})
        return
    out.table(
        _title(where, title),
        [("what", False), ("numbers", False)],
        [(row.what, "  ".join(f"{name} {value:.4g}" for name, value in row.numbers.items())) for row in rows],
    )


def _title(where: Machine, title: str) -> str:
    """The title of a table, with the machine and the day."""
    return f"{title}: {where.date}, {where.cores} cores, {where.memory_gib} GiB"
