"""Graphs for tests of pages and exports: the sample conversation with what is derived from it, and one in which
everything that the service writes has happened once.
"""

from datetime import timedelta
from pathlib import Path

from hippograph.api.cli.data import read_dialogues
from hippograph.api.service import Service
from hippograph.graph.jobs.preflight import missing_features
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.summaries.communities import Scope
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from hippograph.nlp.attachments import Attachment, AttachmentKind

SAMPLE = Path(__file__).parent.parent / "examples" / "sample.json"
ME = "Maya Lindqvist"


async def load_sample(service: Service) -> dict[str, str]:
    """Imports the sample, enriches and consolidates it, and runs upkeep once. Returns chat ids by dialogue names."""
    imported = await service.importer.run(service.viewer(), SAMPLE.stem, read_dialogues(SAMPLE), me=ME)
    await service.runner.work_until_idle()
    await service.sessions.close_idle()
    await service.consolidation.queue_left()
    await service.runner.work_until_idle()
    await service.upkeep.declare()
    await service.upkeep.run()
    await service.runner.work_until_idle()
    return dict(imported.chats)


async def tell_more(service: Service, chats: dict[str, str]) -> list[str]:
    """Adds facts of the local user that change, conflict and are recalled together, and user state, a block and a todo.
    Returns the ids of three of the facts.
    """
    me = service.viewer()
    tell = service.facts.remember
    [old] = await tell(me, [Fact("I work at Deltaroute", aspect="works_at")])
    [new] = await tell(me, [Fact("I work at Brightwater", aspect="works_at")])
    corrected = await service.facts.correct(me, new.memory_id, "I work at Brightwater in Ljubljana")
    await service.facts.update(me, corrected, "I work at Brightwater, in Ljubljana")
    [drink] = await tell(me, [Fact("I prefer tea", tags=("drinks",), event_time=service.clock())])
    await service.facts.pin(me, drink.memory_id)
    await service.states.set_state(me, "nickname", "May")
    block = await service.blocks.write(me, "active_context", "Packing", description="what is going on")
    await service.blocks.write(me, "active_context", "Packing boxes", version=block.version)
    await service.todos.add(me, TodoKind.COMMITMENT, "Return the drill", due_at=service.clock() + timedelta(days=3))
    await _disagree(service, chats["friday-table"])
    found = [old.memory_id, drink.memory_id, corrected]
    service.recall.note(me, found)
    await service.recall.flush()
    await service.runner.work_until_idle()
    return found


async def _disagree(service: Service, group: str) -> None:
    for name, place in (("Ida Berg", "Bled"), ("Otto Berg", "Graz")):
        person = await service.people.create_person(service.viewer(), name)
        await service.people.join_chat(service.viewer(group), group, person.id)
        fact = Fact(f"Maya was born in {place}", about=(service.local_user.key,), aspect="born_in", value=place)
        await service.facts.remember(Viewer(person.id, group, None, ALL_RIGHTS), [fact], for_chat=True)


async def happen(service: Service) -> None:
    """Does what is rare: merges two people, creates a namesake, dismisses a suggested merge, creates an API key,
    invites a person, sets time zones, records an attachment, remembers a long text, erases a person, moves a chat to a
    space, forgets and purges memories, shares one, and finds communities if the server has Graph Data Science.
    """
    people, me = service.people, Viewer(service.local_user.id, None, None, ALL_RIGHTS)
    one, other = [await people.create_person(me, "Robin Hale") for _ in range(2)]
    await service.merging.merge(me, one.key, other.key)
    await people.create_person(me, "Robin Hale")
    for suggestion in (await service.merging.suggestions(me)).items[:1]:
        await service.merging.dismiss(me, suggestion.item.one.id, suggestion.item.other.id)
    await service.api_keys.create(service.local_user.user_id or "", "laptop")
    yara = await people.create_person(INTERNAL, "Yara Costa", user_id="yara")
    members = [Member(yara.id), Member(service.local_user.id), Member((await people.create_person(me, "Rui Costa")).id)]
    hikers = await people.create_chat(Viewer(yara.id), ChatKind.GROUP, "Hikers", members)
    await people.leave_chat(Viewer(yara.id), hikers.id, yara.id)
    alone = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Yara", [Member(yara.id)])
    await people.set_time_zone(Viewer(yara.id), "Europe/Vienna")
    await people.set_time_zone(Viewer(yara.id), "Europe/Ljubljana", alone.id)
    photo = Attachment(AttachmentKind.PHOTO, "choir.jpg", "the altos", None, "https://example.org/choir.jpg")
    await service.recorder.record(me, alone.id, [Turn("I met Ana Kovač at the choir.", yara.id, attachments=(photo,))])
    await service.facts.remember(Viewer(yara.id), [Fact("We sang in every town along the river. " * 60)])
    zoe = await people.create_person(INTERNAL, "Zoe Novak", user_id="zoe")
    chat = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Zoe", [Member(zoe.id)])
    await service.recorder.record(me, chat.id, [Turn("My brother Milo lives in Graz.", zoe.id)])
    await service.runner.work_until_idle()
    await people.add_alias(Viewer(zoe.id), zoe.id, "Friday Table")  # which is a chat's title too: to be decided
    await service.erasures.erase(INTERNAL, zoe.id)
    await service.runner.work_until_idle()
    space = await service.spaces.create(Viewer(yara.id), "Choir")
    await service.spaces.move_chat(Viewer(yara.id), alone.id, space.id)
    await service.todos.add(Viewer(yara.id, alone.id), TodoKind.COMMITMENT, "Learn the alto")
    await service.blocks.write(Viewer(yara.id).within(space.id), "active_context", "Rehearsing")
    await service.states.set_state(Viewer(yara.id).within(space.id), "voice", "alto")
    await _forget_some(service, Viewer(yara.id), alone.id)
    group = await service.browsing.chat_called(me, "Friday Table")
    [stored] = await service.facts.remember(me, [Fact("I hike on Sundays")])
    await service.facts.share(me, stored.memory_id, group.id)
    if await missing_features(service.database):
        return  # communities need Graph Data Science
    await service.community_finder.find(Scope(group.id, group.id), write=True)


async def _forget_some(service: Service, viewer: Viewer, chat: str) -> None:
    """Records three turns with idempotency keys; plans to forget one, forgets the second, and purges the third."""
    acts = service.forgettings
    turns = [Turn(f"I sold boat {n}.", viewer.person_id, idempotency_key=f"boat {n}", import_id="0") for n in range(3)]
    stored = await service.recorder.record(viewer, chat, turns)
    plans = [await acts.plan(viewer, Selection(ids=(one.memory_id,))) for one in stored]
    await acts.carry_out(viewer, plans[1].id)
    await acts.finished(viewer, plans[1].id)
    await acts.purge(viewer, plans[2].id)
    await acts.finished(viewer, plans[2].id)
