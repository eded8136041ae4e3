"""Writes api/mcp/catalogue.json, which answers the first requests of an MCP client, from the code."""

import asyncio
import json

from hippograph.api.mcp.server import make_server
from hippograph.api.mcp.standby import CATALOGUE_FILE
from hippograph.api.mcp.startup import Startup

startup = Startup()
catalogue = asyncio.run(make_server(startup, lambda _: startup.opened.viewer()).catalogue())
CATALOGUE_FILE.write_text(json.dumps(catalogue, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
