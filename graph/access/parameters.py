"""The parameters of the rule that every read of memories is given: who looks, from where, and at which times."""

from hippograph.graph.clock import Clock
from hippograph.graph.model import Times, Viewer


def read_params(viewer: Viewer, times: Times | None, clock: Clock) -> dict[str, object]:
    """What every read of memories is given: who looks, within which space outside any chat (None: all), and the two
    times, both now when not given (P, M14).
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
    """What the fragment `viewpoint_of_request` is given besides: from where the viewer looks, and for which persona."""
    return {
        "chat": viewer.chat_id or "",
        "persona": viewer.persona_id or "",
        "every_persona": viewer.every_persona,
    }


def request_params(viewer: Viewer, times: Times | None, clock: Clock) -> dict[str, object]:
    """What a read is given that looks from where the viewer is: both."""
    return {**place_params(viewer), **read_params(viewer, times, clock)}
