"""Times the notebooks on a large graph: the sample, 100,000 memories of 1,000 people, and 10,000 more in its group.

Uses the Neo4j of the benchmarks; does not change the files of the notebooks. Run as `python -m scripts.time_notebooks`.
"""

import asyncio
import time
from typing import Final

import nbformat

from benchmarks.environment import empty_service
from benchmarks.speed.searching import fill_scope
from benchmarks.synthetic_data import Maker
from benchmarks.synthetic_population import MEMORIES, gather
from hippograph.api.cli.data import read_dialogues, sample_file
from hippograph.api.cli.output import out, progress
from hippograph.api.cli.reading import DEMO_USER_NAME, read_settings
from hippograph.graph.schema import await_indexes
from scripts.run_notebooks import FOLDER, run
from scripts.tell_changes import CHAT, tell

MORE: Final = 10_000


async def main() -> None:
    """Fills the graph, runs each notebook once, and prints how many seconds each took."""
    with progress("") as report:
        async with empty_service(read_settings(), report) as service:
            await service.importer.run(service.viewer(), "sample", read_dialogues(sample_file()), me=DEMO_USER_NAME)
            await service.runner.work_until_idle()
            await service.sessions.close_idle()
            await service.consolidation.queue_left()
            await service.runner.work_until_idle()
            await tell(service)
            assert service.embedder
            maker = Maker(service.embedder.dimensions)
            await gather(service, maker, report)
            group = await service.browsing.chat_called(service.viewer(), CHAT)
            await fill_scope(service, maker, group.id, group.id, MORE)
            await await_indexes(service.database)
            where, took = service.connection, {}
            variables = {"NEO4J_URI": where.uri, "NEO4J_USERNAME": where.user, "NEO4J_PASSWORD": where.password}
            for file in sorted(FOLDER.glob("*.ipynb")):
                report(len(took), 0, file.name)
                book, started = nbformat.read(file, as_version=4), time.perf_counter()
                await asyncio.to_thread(run, book, variables)
                took[file.name] = time.perf_counter() - started
    out.line(f"{MEMORIES + MORE:,} memories and the sample")
    for name, seconds in took.items():
        out.line(f"{name}  {seconds:.1f} s")


if __name__ == "__main__":
    asyncio.run(main())
