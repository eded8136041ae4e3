"""What a client of the Model Context Protocol asks first, answered while the program is still being loaded.

The SDK and our own modules take seconds to import on a slow machine, and clients give up. What they ask before anything
else (who is there, which tools) never changes while a server runs, so it is kept in `catalogue.json` and answered from
there. All else waits for the server, in the order in which it came. Imports the standard library alone.
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
"""So many messages wait for the server; then the client does."""


class Standby:
    """A client's standard input and output: its first questions are answered, until the server is handed the rest.

    For the server it is a text file of both directions: `readline`, `write`, `flush`.
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
        """Answers on this process's standard streams from now on.

        What else reads standard input finds its end, and what else is printed goes to standard error.
        """
        wire_in, wire_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        catalogue = json.loads(CATALOGUE_FILE.read_text("utf-8"))
        catalogue["server"]["instructions"] = INSTRUCTIONS_FILE.read_text("utf-8")
        standby = cls(wire_in, wire_out, catalogue)
        # A daemon: it waits for the client, and nothing interrupts that.
        threading.Thread(target=standby.read, name="standby", daemon=True).start()
        return standby

    def read(self) -> None:
        """Reads what the client sends until it ends: answers what can be, and keeps the rest for the server."""
        for line in self._in:
            if line.strip() and not (not self._handed_over.is_set() and self._answers(line)):
                self._waiting.put(line.decode("utf-8", "replace"))
        self._waiting.put("")

    def hand_over(self) -> None:
        """Answers nothing more: the server does."""
        self._handed_over.set()

    def readline(self) -> str:
        """The next message for the server; an empty text at the end. Blocks."""
        return self._waiting.get()

    def write(self, text: str) -> int:
        """Sends a message of the server's, unless it answers what was answered already."""
        if self._answered and (identity := json.loads(text).get("id")) in self._answered:
            self._answered.remove(identity)
        else:
            self._send(text)
        return len(text)

    def flush(self) -> None:
        """Each message is sent when it is written."""

    def _send(self, text: str) -> None:
        with self._writing:
            self._out.write(text.encode("utf-8"))
            self._out.flush()

    def _answers(self, line: bytes) -> bool:
        """Answers a message; whether the server need not see it."""
        try:
            message = json.loads(line)
            identity, method, params = message["id"], message["method"], message.get("params") or {}
            result = self._result(method, params)
        except (ValueError, TypeError, KeyError, AttributeError):
            return False  # it is for the server to say what is wrong with it
        if result is None:
            return False
        if method == "initialize":
            # The server has to know the client, too: it reads this, and its answer goes nowhere.
            self._answered.append(identity)
            self._waiting.put(line.decode("utf-8", "replace"))
        self._send(json.dumps({"jsonrpc": "2.0", "id": identity, "result": result}) + "\n")
        return True

    def _result(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What the server would answer; None for what is not known here."""
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
