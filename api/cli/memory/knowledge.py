"""Commands that show what is known: context, card, timeline, communities, and the group `archive`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import AsOf, Json, KnownAt, Of, Ranked, Reinforce, Within, when
from hippograph.api.cli.groups import Group
from hippograph.api.cli.memory.facts import reference
from hippograph.api.cli.output import counted, err, out, print_json, tell_all
from hippograph.api.cli.viewers import As, First, In, as_viewer
from hippograph.api.global_ids import short

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.context.assembly import Context
    from hippograph.graph.context.cards import Card, EntitySummary, Relation
    from hippograph.graph.context.composing import Piece
    from hippograph.graph.model import Memory, Viewer
    from hippograph.graph.summaries.communities import CommunityAssignment, Partition

    Dated = tuple[list[Memory], str]
    """Memories, and the time zone in which their times are shown."""

_NAMED = 5
"""Maximum number of members that are named per community."""

archived = typer.Typer(
    cls=Group, help="Memories that were archived to limit the size of the store.", no_args_is_help=True
)


def context(
    query: Annotated[str, typer.Argument(help="The question.")],
    chat: In = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    budget: Annotated[
        int | None, typer.Option(help="Maximum tokens for search results (default: by the question).")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    profile: Ranked = None,
    why: Annotated[
        bool, typer.Option("--why", help="Also show why each memory is included, and what was left out.")
    ] = False,
    reinforce: Reinforce = True,
    json: Json = False,
) -> None:
    """Show the context that an assistant gets for a question: its constant part, and what is found."""
    from hippograph.api.arguments import times

    async def work(service: Service, viewer: Viewer) -> Context:
        when = times(service.clock, as_of, known_at)
        return await service.contexts.context(
            viewer, query, budget=budget, times=when, profile=profile, reinforce=reinforce
        )

    found = as_viewer(work, as_person, chat, persona, space=space, vectors=True)
    if json:
        print_json(found)
        return
    for line in found.text.split("\n"):
        out.line(line)
    if why:
        for entry in found.entries:
            out.line((f"{entry.tokens} tokens, {_why(entry.piece)}  ", "dim"), entry.piece.written())
        for omission in found.left_out:
            out.line((f"left out ({omission.why}), {_why(omission.piece)}  ", "dim"), omission.piece.written())
    err.line(f"{found.tokens} tokens; up to {found.budget} for search results")


def card(
    key: Annotated[str, typer.Argument(help="Name or key (project:lake) of a person or thing.")],
    chat: In = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    reinforce: Reinforce = True,
    json: Json = False,
) -> None:
    """Show a short card of an entity: its most important facts, and its relations to others."""
    from hippograph.api.arguments import times

    async def work(service: Service, viewer: Viewer) -> tuple[Card, EntitySummary | None, int, list[Relation]]:
        when = times(service.clock, as_of, known_at)
        known = await service.browsing.entity_called(viewer, key)
        found = (await service.cards.cards(viewer, [known.key], when, reinforce=reinforce))[known.key]
        mentions = await service.cards.mentions(viewer, [known.key], when)
        relations = await service.cards.relations(viewer, {known.key: None}, times=when)
        summaries = await service.cards.summaries(viewer, [known.key], when)
        return (
            found,
            summaries.get(known.key),
            mentions[known.key],
            [listed.item for listed in relations[known.key].items],
        )

    found, summary, mentions, relations = as_viewer(work, as_person, chat, persona, space=space)
    if json:
        form = {"key": found.key, "text": found.text, "mentions": mentions, "summary": summary and summary.memory}
        print_json({**form, "facts": found.facts, "relations": relations})
        return
    out.line((found.key, "bold"), f"  in {counted(mentions, 'memory')}")
    _print_card(found, summary, relations)


def _print_card(found: Card, summary: EntitySummary | None, relations: list[Relation]) -> None:
    """Prints the summary, facts and relations of an entity, without what other lines already say."""
    told = {fact.id for fact in found.facts}
    if summary and summary.tells_more_than(found.facts):
        out.line(f"   {summary.memory.content}")
        told |= summary.sources
    for fact, item in zip(found.facts, found.items, strict=True):
        out.line(f"   {item}  ", (short(fact.id), "dim"))
    for relation in relations:
        if told.isdisjoint(said.id for said in relation.evidence):
            out.line(f"   {relation.words}")


def timeline(
    key: Annotated[str | None, typer.Argument(help="Name or key of a person or thing (default: the chat).")] = None,
    chat: In = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    since: Annotated[str | None, typer.Option(help="Only what lasts until this time or is later.")] = None,
    until: Annotated[str | None, typer.Option(help="Only what begins before this time.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    first: First = 50,
    json: Json = False,
) -> None:
    """Show what is known of an entity, or was said in a chat, in chronological order."""
    from hippograph.api.arguments import stretch, times
    from hippograph.graph.errors import InvalidInput

    async def work(service: Service, viewer: Viewer) -> Dated:
        period = await stretch(service.people, viewer, service.clock(), since, until)
        when = times(service.clock, as_of, known_at)
        timelines = service.timelines
        if key is None:
            if viewer.chat_id is None:
                raise InvalidInput("say of what: the key of an entity, or --chat")
            page = await timelines.of_chat(
                viewer, viewer.chat_id, persona_id=viewer.persona_id, stretch=period, times=when, first=first
            )
        else:
            known = await service.browsing.entity_called(viewer, key)
            places = {known.key: None}
            pages = await timelines.of_entities(viewer, places, stretch=period, times=when, first=first)
            page = pages[known.key]
        return await _dated(service, viewer, [listed.item for listed in page.items])

    _show(as_viewer(work, as_person, chat, persona, space=space), json=json)


def communities(
    chat: Annotated[
        str | None, typer.Option("--chat", help="Communities of this group, by title or id (default: your own).")
    ] = None,
    persona: Annotated[
        str | None,
        typer.Option(
            "--persona",
            help="Include what belongs to this persona (default: that of the group, if it has exactly one).",
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Store them, so that viewers can read and search by them.")
    ] = False,
    json: Json = False,
) -> None:
    """Find communities of people and things (Leiden) and who is central (PageRank), from what all there may see."""

    async def work(service: Service, viewer: Viewer) -> Partition:
        finder = service.community_finder
        return await finder.find(await finder.scope_of(viewer), write=write)

    found = as_viewer(work, None, chat, persona)
    if json:
        print_json(found)
        return
    groups: dict[int, list[CommunityAssignment]] = {}
    for member in found.members:
        groups.setdefault(member.community, []).append(member)
    for number, members in groups.items():
        shown = ", ".join(member.key for member in members[:_NAMED])
        out.line((f"{number:>3}", "bold"), f"  {len(members)} entities: {shown}{' …' if len(members) > _NAMED else ''}")
    out.line(
        f"from {found.memories} memories, modularity {found.modularity:.2f}, "
        f"at most {found.bytes / 2**20:.1f} MiB of memory",
        (f"; stored as version {found.version}" if found.version else "; not kept: --write stores them", "dim"),
    )


@archived.command("search")
def search_archive(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    chat: In = None,
    persona: Of = None,
    as_person: As = None,
    first: First = 10,
    json: Json = False,
) -> None:
    """Search archived memories, which no other search finds."""

    async def work(service: Service, viewer: Viewer) -> Dated:
        page = await service.archive.search(viewer, query, first=first)
        return await _dated(service, viewer, [listed.item for listed in page.items])

    _show(as_viewer(work, as_person, chat, persona), json=json)


@archived.command("list")
def list_archive(as_person: As = None, first: First = 20, json: Json = False) -> None:
    """List archived memories, the latest first."""

    async def work(service: Service, viewer: Viewer) -> Dated:
        page = await service.archive.list(viewer, first=first)
        return await _dated(service, viewer, [listed.item.memory for listed in page.items])

    _show(as_viewer(work, as_person), json=json)


@archived.command()
def restore(
    memory_id: Annotated[str, typer.Argument(help="Id of the memory, or the beginning of its id.")],
    as_person: As = None,
) -> None:
    """Take a memory out of the archive."""
    given = reference(memory_id)

    async def work(service: Service, viewer: Viewer) -> None:
        await service.archive.restore(viewer, await service.archive.called(viewer, given))

    as_viewer(work, as_person)
    out.line("done")


async def _dated(service: Service, viewer: Viewer, found: list[Memory]) -> Dated:
    return found, await service.people.time_zone(viewer)


def _show(dated: Dated, *, json: bool) -> None:
    found, zone = dated

    def show(one: Memory) -> None:
        out.line((when(one, zone), "bold"), f"  {one.speaker_name or ''}  ", (short(one.id), "dim"))
        out.line(f"   {one.content}")

    tell_all(found, show, json=json, none="nothing was found")


def _why(piece: Piece) -> str:
    return f"{piece.reason} {piece.detail}".rstrip()
