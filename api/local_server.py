"""The Neo4j server that hippograph runs itself, configured by the settings."""

from hippograph.api.settings.settings import Settings
from hippograph.graph.artifacts.fetching import Progress
from hippograph.graph.local.server import LocalConfig, LocalServer


def local_server(settings: Settings, progress: Progress | None = None, *, linger: bool = False) -> LocalServer:
    """Returns a handle on the server without starting it. With `linger` the server stays for the next command."""
    return LocalServer(
        LocalConfig(
            data_dir=settings.data_dir,
            cache_dir=settings.cache_dir,
            bolt_port=settings.neo4j_bolt_port,
            http_port=settings.neo4j_http_port,
            heap_mb=settings.neo4j_heap_mb,
            pagecache_mb=settings.neo4j_pagecache_mb,
            java=settings.neo4j_java,
            start_timeout_s=settings.neo4j_start_timeout_s,
            linger_s=settings.neo4j_linger_s if linger else 0,
        ),
        progress,
    )
