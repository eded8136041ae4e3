from pathlib import Path

import pytest
from pydantic import ValidationError

from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment, sources, unknown_variables
from hippograph.graph.retrieval.fusion import LISTS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Path of a settings file that does not exist yet."""
    return tmp_path / "hippograph.env"


def test_defaults_are_those_of_the_specification() -> None:
    """The defaults are the values of the specification."""
    settings = Settings()
    expected = (30, 60, dict.fromkeys(LISTS, 1.0), "bge-small-en-v1.5", "english", None)
    assert expected == (
        settings.session_idle_minutes,
        settings.rrf_k,
        settings.rrf_weights,
        settings.embedding_model,
        settings.fulltext_analyzer,
        settings.embedding_dimensions,
    )
    assert "127.0.0.1" == settings.host
    assert (True, 0.7) == (settings.extraction_enabled, settings.extraction_confidence_threshold)
    assert (None, None, None) == (settings.llm_base_url, settings.llm_model, settings.llm_api_key)


def test_each_value_tells_where_it_came_from(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment overrides the file, and the file the defaults; `sources` returns the source of each value."""
    file.write_text("HIPPOGRAPH_PORT=9001\nHIPPOGRAPH_RRF_K=7\n")
    monkeypatch.setenv("HIPPOGRAPH_PORT", "9002")
    settings = Settings(_env_file=file)
    assert (9002, 7, 30) == (settings.port, settings.rrf_k, settings.session_idle_minutes)
    origin = sources(settings, file)
    assert ("environment", str(file), "default") == (origin["port"], origin["rrf_k"], origin["session_idle_minutes"])


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.53", "::1", "0:0:0:0:0:0:0:1", "localhost", "LocalHost"])
def test_loopback_addresses_are_taken(host: str) -> None:
    """A loopback address is accepted as host."""
    assert host == Settings(host=host).host


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "0", "", " ", "::", "::0", "*", "::ffff:0.0.0.0", "::ffff:127.0.0.1", "::1%eth0", "192.168.1.5",
     "10.0.0.1", "fe80::1", "2130706433", "127.1", "localhost.example.org", "localhost.", "my-host", "[::]"],
)  # fmt: skip
def test_other_hosts_are_refused(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """Without credentials, a host that is no loopback address is refused, as an argument and as a variable."""
    with pytest.raises(ValidationError, match=r"no loopback address.*127\.0\.0\.1"):
        Settings(host=host)
    if host:
        monkeypatch.setenv("HIPPOGRAPH_HOST", host)
        with pytest.raises(ValidationError, match="no loopback address"):
            Settings()


@pytest.mark.parametrize("name", ["NEO4J_URI", "LLM_BASE_URL"])
@pytest.mark.parametrize("address", ["https://maya:tell-nobody@host/v1", "https://host/v1?key=tell-nobody"])
def test_an_address_holds_no_secret(monkeypatch: pytest.MonkeyPatch, name: str, address: str) -> None:
    """An address with a password or key is refused, since addresses are shown; the error does not repeat it."""
    monkeypatch.setenv(f"HIPPOGRAPH_{name}", address)
    with pytest.raises(ValidationError, match="no user, password or key") as caught:
        Settings()
    assert "tell-nobody" not in str(caught.value)


def test_a_home_is_a_home(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `~` in a path of the settings file is the home folder, although no shell expands it there."""
    monkeypatch.delenv("HIPPOGRAPH_DATA_DIR")  # that of all tests
    file.write_text("HIPPOGRAPH_DATA_DIR=~/graph\nHIPPOGRAPH_NEO4J_JAVA=~/java\n")
    settings = Settings(_env_file=file)
    assert (Path.home() / "graph", Path.home() / "java") == (settings.data_dir, settings.neo4j_java)


def test_misspelt_variables_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that has the prefix of settings but names none is found, in upper and lower case."""
    for name in ("HIPPOGRAPH_PROT", "hippograph_hots", "HIPPOGRAPH_PORT", "HIPPOGRAPH_ENV_FILE"):
        monkeypatch.setenv(name, "1")
    assert ["HIPPOGRAPH_PROT", "hippograph_hots"] == unknown_variables()


def test_origins_and_hosts_are_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Origins and hosts are comma-separated in variables, also in those for another process."""
    monkeypatch.setenv("HIPPOGRAPH_ALLOWED_ORIGINS", "http://localhost:5173, https://Chat.example")
    monkeypatch.setenv("HIPPOGRAPH_ALLOWED_HOSTS", "memory.example")
    settings = Settings()
    assert ("http://localhost:5173", "https://chat.example") == settings.allowed_origins
    given = as_environment(settings)
    assert "http://localhost:5173,https://chat.example" == given["HIPPOGRAPH_ALLOWED_ORIGINS"]
    assert "memory.example" == given["HIPPOGRAPH_ALLOWED_HOSTS"]


@pytest.mark.parametrize("origin", ["*", "localhost:5173", "http://localhost:5173/", "http://a@b"])
def test_an_origin_is_a_scheme_a_name_and_a_port(monkeypatch: pytest.MonkeyPatch, origin: str) -> None:
    """A value that no browser sends as an origin is refused, in particular `*` for all origins."""
    monkeypatch.setenv("HIPPOGRAPH_ALLOWED_ORIGINS", origin)
    with pytest.raises(ValidationError, match="is no origin"):
        Settings()


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable with an empty value counts as not set."""
    monkeypatch.setenv("HIPPOGRAPH_PORT", "")
    assert 8000 == Settings().port


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "many"),
        ("RRF_K", "0"),
        ("FUSION", "magic"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
        ("WORKERS", "-1"),
        ("RRF_WEIGHTS", '{"full_text": "much"}'),
        ("EXTRACTION_CONFIDENCE_THRESHOLD", "1.1"),
        ("EXTRACTION_CONFIDENCE_THRESHOLD", "nan"),
        ("EXTRACTION_ENABLED", "sometimes"),
        ("LLM_BASE_URL", "localhost:8080"),
        ("LLM_BASE_URL", "file:///etc/passwd"),
        ("LLM_TIMEOUT_S", "0"),
        ("LLM_DAILY_CALLS", '{"facts": -1}'),
        ("LLM_DAILY_CALLS", '{"poems": 1}'),
    ],
)
def test_wrong_values_are_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """An invalid value is refused with an error that names the setting."""
    monkeypatch.setenv(f"HIPPOGRAPH_{name}", value)
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert name.lower() == caught.value.errors()[0]["loc"][0]


def test_a_misspelt_line_of_the_file_is_refused(file: Path) -> None:
    """An unknown name in the settings file is an error."""
    file.write_text("HIPPOGRAPH_PROT=9001\n")
    with pytest.raises(ValidationError, match=r"(?i)hippograph_prot"):
        Settings(_env_file=file)


def test_an_address_needs_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of Neo4j without a password is refused; the error names the missing variable."""
    monkeypatch.setenv("HIPPOGRAPH_NEO4J_URI", "neo4j://localhost")
    with pytest.raises(ValidationError, match="HIPPOGRAPH_NEO4J_PASSWORD"):
        Settings()


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"LLM_MODEL": "m"}, "HIPPOGRAPH_LLM_BASE_URL"),
        ({"LLM_MODEL": "m", "LLM_API_KEY": "k"}, "HIPPOGRAPH_LLM_BASE_URL"),
        ({"LLM_BASE_URL": "http://localhost:8080/v1"}, "HIPPOGRAPH_LLM_MODEL"),
        ({"LLM_API_KEY": "k"}, "HIPPOGRAPH_LLM_BASE_URL and HIPPOGRAPH_LLM_MODEL"),
    ],
)
def test_a_model_needs_an_endpoint(monkeypatch: pytest.MonkeyPatch, given: dict[str, str], missing: str) -> None:
    """An incomplete configuration of an LLM is refused, and the error names what is missing."""
    for name, value in given.items():
        monkeypatch.setenv(f"HIPPOGRAPH_{name}", value)
    with pytest.raises(ValidationError, match=f"set {missing} too"):
        Settings()


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords and keys are in neither the dump nor the repr of settings, and a validation error repeats no value."""
    monkeypatch.setenv("HIPPOGRAPH_NEO4J_PASSWORD", "tell-nobody")
    monkeypatch.setenv("HIPPOGRAPH_LLM_API_KEY", "tell-nobody")
    monkeypatch.setenv("HIPPOGRAPH_LLM_BASE_URL", "http://localhost:1/v1")
    monkeypatch.setenv("HIPPOGRAPH_LLM_MODEL", "m")
    assert "tell-nobody" not in f"{Settings().model_dump(mode='json')} {Settings()!r}"
    monkeypatch.setenv("HIPPOGRAPH_NEO4J_HEAP_MB", "tell-nobody")
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert "tell-nobody" not in str(caught.value)


def test_another_process_gets_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The variables of `as_environment` give the same settings, secrets included, whatever was set before."""
    monkeypatch.setenv("HIPPOGRAPH_NEO4J_JAVA", "/usr/bin/another")
    monkeypatch.setenv("HIPPOGRAPH_PORT", "9001")
    settings = Settings(
        neo4j_uri="bolt://localhost:1",
        neo4j_password="tell-nobody",
        llm_base_url="http://localhost:1/v1",
        llm_model="m",
        llm_api_key="tell-nobody-either",
        extraction_enabled=False,
        data_dir=tmp_path / "a folder",
        rrf_weights={"full_text": 0.5, "vector": 2},
        embedding_query_prompt="query: ",
        workers=0,
        neo4j_java=None,
        port=8000,
    )
    for name, value in as_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert settings == Settings()


def test_settings_never_change() -> None:
    """Assigning to a setting raises an error."""
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]
