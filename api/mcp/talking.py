"""Tools that record the turns of a conversation and close its sessions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, Literal

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from hippograph.api.arguments import entity_reference, is_id, limited, moment, named_or_id, session_reference
from hippograph.api.global_ids import short
from hippograph.api.mcp.forms import Form, given, summary_form
from hippograph.api.mcp.tool_context import ADDS, ToolCall, ToolContext, Work
from hippograph.graph.errors import NotFound
from hippograph.graph.model import ChatKind, Session, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn
from hippograph.graph.zones import UTC_ZONE, checked_zone

TheChat = Annotated[str, Field(description="title or id; a new title begins a private chat")]
_SESSIONS: Final = 20


class SaidTurn(BaseModel):
    """A turn to record."""

    model_config = ConfigDict(extra="forbid")

    role: Literal["user", "agent"]
    content: str
    id: Annotated[str | None, Field(description="yours: told again it is stored once")] = None
    time: Annotated[str | None, Field(description="2026-03-01T12:00Z; else now")] = None
    speaker: Annotated[str | None, Field(description="another person, by name or key")] = None


class Talking(ToolContext):
    """Tools that record turns and close sessions."""

    def tools(self) -> list[Tool]:
        """All tools of this class."""
        work: dict[Work, ToolAnnotations] = {self.record_turns: ADDS, self.close_session: ADDS}
        return [self.tool(each, hints) for each, hints in work.items()]

    async def record_turns(
        self,
        call: ToolCall,
        turns: Annotated[Sequence[SaidTurn], Field(description="in their order, up to 100")],
        chat: TheChat,
        persona: Annotated[str | None, Field(description="who you are: name or id")] = None,
        session: Annotated[str | None, Field(description="a word of yours for it; else by time")] = None,
        time_zone: Annotated[str | None, Field(description="the user's: Europe/Vienna")] = None,
    ) -> Form:
        """Record what you and the user said; facts are extracted from it."""
        caller, zone = self.caller(call), checked_zone(time_zone) if time_zone else UTC_ZONE
        persona_id = await self._persona(caller, persona, create=caller.rights.may_make_personas)
        chat_id, new = await self._chat(caller, chat)
        viewer = caller.at(chat_id, persona_id)
        if time_zone is None and any(each.time for each in turns):
            zone = await self.service.people.time_zone(viewer)
        said = [replace(await self._turn(viewer, each, session, zone), time_zone=time_zone) for each in limited(turns)]
        stored = await self.service.recorder.record(viewer, chat_id, said, persona_id) if said else []
        return given(
            ids=[short(each.memory_id) for each in stored],
            new_chat=new,
            repeated=sum(each.repeated for each in stored),
            secrets_removed=sum(each.secrets_removed for each in stored),
        )

    async def close_session(
        self,
        call: ToolCall,
        chat: str,
        persona: str | None = None,
        keep_open: Annotated[bool, Field(description="only summarise")] = False,
    ) -> Form:
        """Close the session and get its summary, before your context window is compacted or when the talk is over."""
        service, caller = self.service, self.caller(call)
        chat_id = (await service.browsing.chat_called(caller, named_or_id("Chat", chat))).id
        session = await self._latest_session(caller, chat_id, await self._persona(caller, persona, create=False))
        if session is None:
            return {"closed": False}
        closes = session.ended_at is None and not keep_open
        if closes:
            await service.sessions.close(caller, chat_id, session.persona_id)
        await service.talk_summaries.summarize_session(caller, session.id)
        made = (await service.summary_reader.of_sessions(caller, [session.id])).get(session.id)
        return {"closed": closes, **given(summary=summary_form(made))}

    async def _latest_session(self, viewer: Viewer, chat_id: str, persona_id: str | None) -> Session | None:
        """Of the 20 latest sessions of a chat, the latest open one with a persona (None: any), else the latest with it.
        Only sessions of which the viewer may see a turn count.
        """
        page = await self.service.browsing.sessions(viewer, chat_id, first=_SESSIONS)
        found = [listed.item for listed in page.items if persona_id in (None, listed.item.persona_id)]
        return next((one for one in found if one.ended_at is None), found[0] if found else None)

    async def _persona(self, viewer: Viewer, named: str | None, *, create: bool) -> str | None:
        """The id of the persona with a name or id. If no persona has the name, one is created with `create`. Raises
        `NotFound` without it, and for an unknown id. Without a name it is the persona as which the credential speaks,
        if any.
        """
        if named is None:
            return viewer.rights.speaks_as
        service, reference = self.service, named_or_id("Persona", named)
        try:
            return (await service.browsing.persona_called(reference)).id
        except NotFound:
            if not create or is_id(reference):
                raise
            return (await service.people.create_persona(viewer, named)).id

    async def _chat(self, viewer: Viewer, named: str) -> tuple[str, bool]:
        """The id of the chat with an id or title, and whether it is new. If no chat of the viewer has the title, a
        private chat is created. Raises `NotFound` for an unknown id.
        """
        service, reference = self.service, named_or_id("Chat", named)
        try:
            return (await service.browsing.chat_called(viewer, reference)).id, False
        except NotFound:
            if is_id(reference):
                raise
        member = Member(viewer.person_id)
        made = await service.people.create_chat(viewer, ChatKind.PRIVATE, named, [member], once=True)
        return made.id, True

    async def _turn(self, viewer: Viewer, said: SaidTurn, session: str | None, zone: str) -> Turn:
        speaker: str | None = viewer.person_id
        if said.role == "agent":
            speaker = None
        elif said.speaker is not None:
            known = await self.service.browsing.entity_called(viewer, entity_reference(said.speaker))
            speaker = known.id
        return Turn(
            said.content,
            speaker,
            event_time=moment(said.time, zone) if said.time else None,
            session_id=session_reference(session),
            idempotency_key=said.id,
        )
