"""Answers the first requests of a client of the Model Context Protocol while the program is still loading.

The SDK and our own modules take seconds to import on a slow machine, and clients give up. The answers to their first
requests (server information, lists of tools) never change while a server runs, so they are given from `catalogue.json`.
All other messages are queued for the server in their order. This module imports the standard library alone.
"""

import json
import os
import queue
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

INSTRUCTIONS_FILE: Final = Path(__file__).with_name("instructions.md")
CATALOGUE_FILE: Final = Path(__file__).with_name("catalogue.json")
_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_MOST_WAITING: Final = 1_000
"""Maximum number of messages queued for the server; when it is reached, no more are read from the client."""


class Standby:
    """A client's standard input and output. Until the server takes over, the first requests are answered here.

    The server uses it as a text file for both directions: `readline`, `write`, `flush`.
    """

    def __init__(self, wire_in: BinaryIO, wire_out: BinaryIO, catalogue: Mapping[str, Any]) -> None:
        self._in = wire_in
        self._out = wire_out
        self._catalogue = catalogue
        self._era = ""
        self._waiting: queue.Queue[str] = queue.Queue(_MOST_WAITING)
        self._handed_over = threading.Event()
        self._answered: list[Any] = []
        self._writing = threading.Lock()

    @classmethod
    def on_standard_streams(cls) -> "Standby":
        """Starts answering on this process's standard streams, in a thread.

        For all other code standard input is then empty, and standard output goes to standard error.
        """
        wire_in, wire_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        catalogue = json.loads(CATALOGUE_FILE.read_text("utf-8"))
        catalogue["server"]["instructions"] = INSTRUCTIONS_FILE.read_text("utf-8")
        standby = cls(wire_in, wire_out, catalogue)
        # A daemon thread, because it blocks on the client's input, which cannot be interrupted.
        threading.Thread(target=standby.read, name="standby", daemon=True).start()
        return standby

    def read(self) -> None:
        """Reads messages until the client's input ends; answers those it can, and queues the rest for the server."""
        for line in self._in:
            if line.strip() and not (not self._handed_over.is_set() and self._answers(line)):
                self._waiting.put(line.decode("utf-8", "replace"))
        self._waiting.put("")

    def hand_over(self) -> None:
        """Stops answering; from now on the server does."""
        self._handed_over.set()

    def readline(self) -> str:
        """Waits for the next message for the server and returns it; an empty text at the end of the input."""
        return self._waiting.get()

    def write(self, text: str) -> int:
        """Sends a message of the server, unless it answers a request that was already answered here."""
        if self._answered and (identity := json.loads(text).get("id")) in self._answered:
            self._answered.remove(identity)
        else:
            self._send(text)
        return len(text)

    def flush(self) -> None:
        """Does nothing; `write` sends each message at once."""

    def _send(self, text: str) -> None:
        with self._writing:
            self._out.write(text.encode("utf-8"))
            self._out.flush()

    def _answers(self, line: bytes) -> bool:
        """Answers a message. Returns False if it cannot, so that the message goes to the server."""
        try:
            message = json.loads(line)
            identity, method, params = message["id"], message["method"], message.get("params") or {}
            result = self._result(method, params)
        except (ValueError, TypeError, KeyError, AttributeError):
            return False  # the server reports what is wrong with it
        if result is None:
            return False
        if method == "initialize":
            # The server needs the client's details too: it also gets this message, and `write` drops its answer.
            self._answered.append(identity)
            self._waiting.put(line.decode("utf-8", "replace"))
        self._send(json.dumps({"jsonrpc": "2.0", "id": identity, "result": result}) + "\n")
        return True

    def _result(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The server's result for a request; None if it is not known here."""
        known = self._catalogue
        if method == "initialize":
            wanted = params["protocolVersion"]
            if not (isinstance(params["capabilities"], dict) and isinstance(params["clientInfo"]["name"], str)):
                return None
            self._era = wanted if wanted in known["handshakes"] else known["handshakes"][-1]
            return {"protocolVersion": self._era, **known["server"]}
        if params.get("_meta", {}).get(_VERSION) in known["modern"]["supportedVersions"]:
            if method.endswith("/discover"):
                stated = {name: known["server"][name] for name in ("capabilities", "instructions")}
                return {**stated, **known["modern"]}
            stamp = {name: value for name, value in known["modern"].items() if name != "supportedVersions"}
            return {**known["lists"][method], **stamp} if method in known["lists"] else None
        if not self._era:
            return None
        return {} if method == "ping" else known["lists"].get(method)
