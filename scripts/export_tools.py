"""Writes api/mcp/catalogue.json, what a client of MCP is told before the server is loaded, from the code."""

import asyncio
import json

from hippograph.api.mcp.server import make_server
from hippograph.api.mcp.standby import CATALOGUE_FILE
from hippograph.api.mcp.startup import Startup

startup = Startup()
catalogue = asyncio.run(make_server(startup, lambda _: startup.opened.viewer()).catalogue())
CATALOGUE_FILE.write_text(json.dumps(catalogue, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
