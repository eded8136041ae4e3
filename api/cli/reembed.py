"""`hippograph reembed`: the graph's vectors by another model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippograph.api.cli.output import out, progress, run

if TYPE_CHECKING:
    from hippograph.graph.schema import VectorSlot


def reembed() -> None:
    """Embed everything with the model of the settings, while services of the old one go on answering."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.connections import open_graph
    from hippograph.api.models import embedder_of
    from hippograph.graph.clock import system_clock
    from hippograph.graph.errors import InvalidInput
    from hippograph.graph.knowledge.reembedding import Reembedding

    async def work() -> VectorSlot | None:
        with progress("Embedding") as report:
            embedder = embedder_of(settings, report)
            if embedder is None:
                raise InvalidInput("HIPPOGRAPH_EMBEDDING_MODEL is none: name the model to embed with")
            async with open_graph(settings, report) as database:
                moving = Reembedding(database, system_clock, embedder, analyzer=settings.fulltext_analyzer)
                return await moving.run(report)

    settings = read_settings()
    slot = run(work())
    if slot is None:
        out.line(f"all vectors are of {settings.embedding_model} already")
        return
    out.line(f"{slot.model} ({slot.dimensions} dimensions) answers from now on: start services and workers again with")
    out.line(f"HIPPOGRAPH_EMBEDDING_MODEL={slot.model}")
