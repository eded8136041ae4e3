"""`bench nightly`: nightly upkeep of 100,000 memories with searches meanwhile, and again while its workers are killed;
searches that count as recalls beside such that do not; and the summary of a session.
"""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from statistics import median
from typing import Final

from benchmarks.environment import Report, Row, empty, family_memory, neo4j_memory, percentiles, worker_pids
from benchmarks.quality.metrics import percentile
from benchmarks.synthetic_data import BATCH, Maker
from benchmarks.synthetic_population import MEMORIES, gather
from hippograph.api.service import Service
from hippograph.api.workers import worker_processes
from hippograph.graph.upkeep.steps import NIGHTLY, PRUNING, STRENGTH
from hippograph.graph.upkeep.upkeep import Run
from hippograph.graph.writing.dialogue_file import DialogueFile

SEARCHES: Final = 300
PACE_S: Final = 0.2
"""Minimum time between the starts of two searches, in seconds, before and during the upkeep."""
STEPS: Final = (*NIGHTLY, *PRUNING, STRENGTH)
KILLS: Final = 3
KILLED_AFTER_S: Final = 5.0
RUNS: Final = 5
IN_A_RUN: Final = 100
TURNS: Final = 40
SUMMARIES: Final = 20


async def measure(service: Service, said: DialogueFile, report: Report) -> list[Row]:
    """Returns the rows of all measurements. The graph is synthetic; the session has the first turns of `said`."""
    assert service.embedder
    maker = Maker(service.embedder.dimensions)
    await _gather_old(service, maker, report)
    rows = await _recall(service, maker, report)
    rows += await _night(service, maker, report)
    await empty(service)
    await _gather_old(service, maker, report)
    rows += await _killed_night(service, report)
    await empty(service)
    return rows + await _summary(service, said, report)


async def _gather_old(service: Service, maker: Maker, report: Report) -> None:
    """Fills the graph as for `bench privacy`, then changes some memories so that upkeep retires or changes them."""
    await gather(service, maker, report)
    position: str | None = ""
    while position is not None:
        row = await service.database.one("bench/age", position=position, limit=BATCH)
        position = row["position"] if row else None


async def _recall(service: Service, maker: Maker, report: Report) -> list[Row]:
    """Times searches whose results count as recalled, and searches whose results do not. Runs of both alternate, so
    that both see the same load of the machine.
    """
    questions = [maker.question() for _ in range(IN_A_RUN)]
    await _search(service, questions)
    took: dict[bool, list[list[float]]] = {False: [], True: []}
    async with service.recall.writing():
        for number in range(RUNS):
            report(number, RUNS, "recall")
            for reinforce, runs in took.items():
                runs.append(await _search(service, questions, reinforce=reinforce))
                await service.recall.flush()
    medians = {reinforce: [percentile(run, 0.5) * 1000 for run in runs] for reinforce, runs in took.items()}
    rows = [
        Row(
            f"{RUNS} runs of {IN_A_RUN} searches, {'recalled' if reinforce else 'not recalled'}",
            {
                **percentiles([each for run in took[reinforce] for each in run]),
                "least p50": min(of),
                "most p50": max(of),
            },
        )
        for reinforce, of in medians.items()
    ]
    return [*rows, Row("  p50 recalled over not recalled", {"ratio": median(medians[True]) / median(medians[False])})]


async def _search(service: Service, questions: list[str], *, reinforce: bool = False) -> list[float]:
    """Returns the seconds of each search."""
    times = []
    for question in questions:
        started = time.perf_counter()
        await service.search.search(service.viewer(), question, reinforce=reinforce)
        times.append(time.perf_counter() - started)
    return times


async def _night(service: Service, maker: Maker, report: Report) -> list[Row]:
    """Times all upkeep steps, run in order by a worker, and searches at a steady pace before and during them."""
    questions = [maker.question() for _ in range(50)]
    await _search(service, questions)

    async def search_while(going_on: Callable[[int], Awaitable[bool]]) -> list[float]:
        times: list[float] = []
        while await going_on(len(times)):
            times += await _search(service, [questions[len(times) % len(questions)]])
            await asyncio.sleep(max(0.0, PACE_S - times[-1]))
        return times

    async def not_enough(done: int) -> bool:
        return done < SEARCHES

    async def under_way(done: int) -> bool:
        report(done, 0, "a night: searches meanwhile")
        return any(each.name == job for each in await service.upkeep.jobs())

    async with worker_processes(service.settings.model_copy(update={"auto_gc": False})), family_memory() as seen:
        report(0, 0, "searches before the night")
        before = await search_while(not_enough)
        seen.clear()
        rows = neo4j_memory(service, "Neo4j before")
        started = time.perf_counter()
        job = await service.upkeep.request(STEPS)
        meanwhile = await search_while(under_way)
        took = time.perf_counter() - started
        memory = {"MiB after a quarter": max(seen[: len(seen) // 4 + 1]), "MiB at most": max(seen)}
        rows += [*neo4j_memory(service, "Neo4j after"), Row("memory of service and worker", memory)]
    runs = await _runs(service, job)
    steps = [
        Row(
            f"  {run.step}{' FAILED' if run.failure else ''}",
            {"s": (run.ended_at - run.started_at).total_seconds() if run.ended_at else 0.0, "changed": run.changed},
        )
        for run in runs
    ]
    ratio = percentile(meanwhile, 0.95) / percentile(before, 0.95)
    return [
        Row(f"a night of {MEMORIES:,} memories", {"min": took / 60}),
        *steps,
        *rows,
        Row("search before", percentiles(before)),
        Row("search meanwhile", percentiles(meanwhile)),
        Row("  p95 meanwhile over that before (bar 1.5)", {"ratio": ratio}),
    ]


async def _runs(service: Service, job: str) -> list[Run]:
    """Returns the runs of the steps of a job, in chronological order."""
    page = await service.upkeep.runs(first=100)
    return [listed.item for listed in reversed(page.items) if listed.item.job == job]


async def _killed_night(service: Service, report: Report) -> list[Row]:
    """Runs the same steps with two workers, which are killed several times. Compares what was changed with the plan."""
    planned = {each.step: each.memories for each in await service.upkeep.plan()}
    before = sum(each.count for each in await service.doctor.examine())
    killed, seen = 0, 0
    async with worker_processes(service.settings.model_copy(update={"auto_gc": False, "workers": 2})):
        job = await service.upkeep.request(STEPS)
        while any(each.name == job for each in await service.upkeep.jobs()):
            await asyncio.sleep(KILLED_AFTER_S)
            report(killed, KILLS, "a night whose workers are killed")
            changed = sum(run.changed for run in await _runs(service, job))
            if killed < KILLS and changed > seen:  # work was done since the last kill
                for pid in worker_pids():
                    os.kill(pid, signal.SIGKILL)
                killed, seen = killed + 1, sum(run.changed for run in await _runs(service, job))
    runs = await _runs(service, job)
    done = Counter[str]()
    for run in runs:
        done[run.step] += run.changed
    after = sum(each.count for each in await service.doctor.examine())
    return [
        Row(
            f"a night whose workers are killed {killed} times",
            {"steps": len(set(STEPS)), "runs": len(runs), "failed": sum(bool(run.failure) for run in runs)},
        ),
        *(Row(f"  {step}", {"planned": planned[step], "changed": done[step]}) for step in STEPS if step in planned),
        Row("  findings of the doctor, of what no write path makes", {"before": before, "after": after}),
    ]


async def _summary(service: Service, said: DialogueFile, report: Report) -> list[Row]:
    """Times the summary of a session of `TURNS` turns, computed `SUMMARIES` times, after its facts were extracted."""
    report(0, 0, "a summary")
    dialogue, begin = said.dialogues[0], service.clock() - timedelta(hours=2)
    turns = [
        replace(turn, session=1, time=begin + timedelta(minutes=number))
        for number, turn in enumerate(dialogue.turns[:TURNS])
    ]
    one = replace(dialogue, turns=turns, participants=[])
    imported = await service.importer.run(service.viewer(), "session", DialogueFile(dialogues=[one]))
    await service.runner.work_until_idle()
    viewer = service.viewer(imported.chats[one.id])
    [listed] = (await service.browsing.sessions(viewer, imported.chats[one.id])).items
    times = []
    for _ in range(SUMMARIES):
        started = time.perf_counter()
        await service.talk_summaries.summarize_session(viewer, listed.item.id)
        times.append(time.perf_counter() - started)
    return [Row(f"summary of a session of {len(turns)} turns (bar 200)", percentiles(times))]
