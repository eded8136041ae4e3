"""The configuration of Neo4j: its configuration file, its plugins folder and the arguments of Java."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hippograph.graph.local.folder import Folder
from hippograph.graph.local.java import VECTOR_MODULE, Java, environment
from hippograph.graph.local.ports import HOST, Ports

SERVER = "org.neo4j.server.Neo4jCommunity"

# The class that `neo4j-admin` starts in a second Java, which takes two seconds more and shows the password in its
# command line. We run it directly.
ADMIN = "org.neo4j.cli.AdminTool"

# These GDS jars register procedures, which Neo4j looks for in the plugins folder only.
PLUGINS = ("proc-", "opengds-extension-", "cypher-aggregation-", "open-model-catalog-")
PLUGIN_GROUP = Path("org", "neo4j", "gds")

# Without the opened packages vector indexes stop short of being populated.
OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")

# Maximum heap for the serial collector: with a heap of 512 MB the server takes 300 MB less memory than with G1.
SMALL_HEAP_MB = 1024

# Settings of every Neo4j of hippograph; docker-compose.yml and the container of the tests have the same.
EVERYWHERE: Final = {
    "db.query.default_language": "CYPHER_25",  # for what people type: our statements name theirs
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",  # what Neo4j Browser may send from the user's own browser
    # Neo4j plans a statement anew if sizes have changed, by default each ten seconds; planning a large one takes a
    # second. Our statements name their indexes, so a plan made for an empty graph suits a large one too (BENCHMARKS).
    "dbms.cypher.min_replan_interval": "1h",
}

# Relative to the home folder, which is given on the command line. Absolute ones must be in ASCII and without a quote,
# since Neo4j escapes a path as in a Java string (ü as \u00FC, a quote as \") and then takes each backslash for a slash.
DIRECTORIES: Final = {f"server.directories.{name}": name for name in ("data", "logs", "plugins", "import", "run")}

# Copied into the configuration folder, where Neo4j looks for files of these names.
LOGGING = tuple(Path(__file__).with_name(name) for name in ("server-logs.xml", "user-logs.xml"))

WITHOUT_BROWSER: Final = {"server.http_enabled_modules": "TRANSACTIONAL_ENDPOINTS,QUERY_API_ENDPOINTS"}


def serves_browser(cache_dir: Path) -> bool:
    """Whether Neo4j can serve Browser, whose jar is in this cache folder. If its path is not in ASCII, this version's
    Jetty fails, and with it the whole server (jetty/jetty.project#15289).
    """
    return str(cache_dir.resolve()).isascii()


def write(folder: Folder, ports: Ports, pagecache_mb: int, *, browser: bool = True) -> None:
    """Writes neo4j.conf and the configuration of the logs."""
    settings = {
        **DIRECTORIES,
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{ports.bolt}",
        "server.bolt.advertised_address": f"{HOST}:{ports.bolt}",
        "server.http.enabled": "true",
        "server.http.listen_address": f"{HOST}:{ports.http}",
        "server.http.advertised_address": f"{HOST}:{ports.http}",
        "server.https.enabled": "false",
        "server.memory.pagecache.size": f"{pagecache_mb}m",
        # By default Neo4j preallocates two log files of 256 MB and keeps 2 GB for backups, which Community cannot make.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.size": "64m",
        "db.tx_log.rotation.retention_policy": "256m size",
        **EVERYWHERE,
        **({} if browser else WITHOUT_BROWSER),
        "dbms.security.http_static_content_security_policy_header": browser_policy(ports.bolt),
        "dbms.security.procedures.unrestricted": "gds.*",
        # In seconds; Neo4j waits this long twice after the databases are closed, when no client is left to wait for.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
    }
    lines = [
        "# Written by hippograph at every start; changes here are lost.",
        *(f"{k}={v}" for k, v in settings.items()),
    ]
    (folder.conf / "neo4j.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in LOGGING:
        shutil.copyfile(path, folder.conf / path.name)


def browser_policy(bolt_port: int) -> str:
    """The Content-Security-Policy of Neo4j Browser: its page may load from, and connect to, this server only.

    Without it the page loads fonts from other hosts and sends error reports and product analytics to them, whatever is
    configured otherwise. Its editor needs inline styles.
    """
    bolt = " ".join(f"{scheme}://{host}:{bolt_port}" for host in (HOST, "localhost") for scheme in ("ws", "http"))
    return (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
        f"connect-src 'self' {bolt}; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def link_plugins(folder: Folder, jars: Iterable[Path]) -> None:
    """Replaces the links in the plugins folder by links to those of these jars that register procedures."""
    for path in folder.plugins.iterdir():
        if path.is_symlink():
            path.unlink()
    for jar in jars:
        if jar.name.startswith(PLUGINS) and PLUGIN_GROUP.parts == jar.parts[-6:-3]:
            (folder.plugins / jar.name).symlink_to(jar)


def java_arguments(java: Java, jars: Iterable[Path], heap_mb: int) -> str:
    """The content of the argument file of Java, the same for the server and its tools."""
    collector = "-XX:+UseSerialGC" if heap_mb <= SMALL_HEAP_MB else "-XX:+UseG1GC"
    arguments = [
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
        "--enable-native-access=ALL-UNNAMED",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Djdk.nio.maxCachedBufferSize=1024",
        "-Dlog4j2.disable.jmx=true",
        "-Dfile.encoding=UTF-8",
        collector,
    ]
    if java.version >= 23:
        arguments.append("--sun-misc-unsafe-memory-access=allow")
    if java.has_vector_module:
        arguments.append(f"--add-modules={VECTOR_MODULE}")
    return "\n".join([*arguments, "-cp", _quoted(os.pathsep.join(map(str, jars)))]) + "\n"


def server_command(
    java: Java, folder: Folder, arguments: Path, heap_mb: int, archive_arguments: list[str]
) -> list[str]:
    """The command that runs the server until it is told to end."""
    return [
        str(java.path),
        f"-Xms{heap_mb // 2}m",
        f"-Xmx{heap_mb}m",
        "-XX:+ExitOnOutOfMemoryError",
        f"-XX:ErrorFile={folder.logs}/java-crash-%p.log",
        *archive_arguments,
        f"@{arguments}",
        SERVER,
        f"--home-dir={folder.root}",
        f"--config-dir={folder.conf}",
    ]


def admin_arguments(java_arguments: str, *words: str) -> str:
    """The content of the argument file for an administration tool. It runs briefly, so Java compiles it little."""
    return "\n".join(["-XX:TieredStopAtLevel=1", java_arguments.rstrip(), ADMIN, *map(_quoted, words)]) + "\n"


def admin_environment(folder: Folder) -> dict[str, str]:
    """The environment in which administration tools find the data folder."""
    return environment() | {"NEO4J_HOME": str(folder.root), "NEO4J_CONF": str(folder.conf)}


def _quoted(word: str) -> str:
    """A word, quoted for an argument file."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
