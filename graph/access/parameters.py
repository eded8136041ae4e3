"""The parameters of the access rule, which every read of memories takes: who reads, from where, and at which times."""

from hippograph.graph.clock import Clock
from hippograph.graph.model import Times, Viewer


def read_params(viewer: Viewer, times: Times | None, clock: Clock) -> dict[str, object]:
    """The parameters of every read of memories: the viewer, the space in which they look outside any chat (None: all),
    and the two times, which default to now (P, M14).
    """
    now = clock()
    as_of, known_at = (times.as_of, times.known_at) if times else (now, now)
    return {
        "viewer": viewer.person_id,
        "space": viewer.space_id,
        "as_of": as_of,
        "known_at": known_at,
        "now": now,
    }


def place_params(viewer: Viewer) -> dict[str, object]:
    """Further parameters of the fragment `viewpoint_of_request`: the viewer's chat and persona, `""` for none."""
    return {
        "chat": viewer.chat_id or "",
        "persona": viewer.persona_id or "",
        "every_persona": viewer.every_persona,
    }


def request_params(viewer: Viewer, times: Times | None, clock: Clock) -> dict[str, object]:
    """The parameters of a read from the viewer's own place: those of `place_params` and `read_params`."""
    return {**place_params(viewer), **read_params(viewer, times, clock)}
