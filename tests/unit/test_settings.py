from pathlib import Path

import pytest
from pydantic import ValidationError

from api.settings import Settings, as_environment, shown, sources


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder without any `.env`."""
    monkeypatch.chdir(tmp_path)


def test_defaults_are_those_of_the_specification() -> None:
    """The numbers that the specification names are the defaults."""
    settings = Settings()
    expected = (30, 60, {"full_text": 1.0, "vector": 1.0}, "bge-small-en-v1.5", "english", None)
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


def test_each_value_tells_where_it_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment wins over `.env`, that over the default, and each value knows its source."""
    (tmp_path / ".env").write_text("HIPPOGRAPH_PORT=9001\nHIPPOGRAPH_RRF_K=7\n")
    monkeypatch.setenv("HIPPOGRAPH_PORT", "9002")
    settings = Settings()
    assert (9002, 7, 30) == (settings.port, settings.rrf_k, settings.session_idle_minutes)
    origin = sources(settings)
    assert ("environment", ".env", "default") == (origin["port"], origin["rrf_k"], origin["session_idle_minutes"])


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is set to nothing counts as not set."""
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
        ("LLM_HOURLY_BUDGET", "0"),
    ],
)
def test_wrong_values_are_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """What a setting cannot be is refused with its name."""
    monkeypatch.setenv(f"HIPPOGRAPH_{name}", value)
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert name.lower() == caught.value.errors()[0]["loc"][0]


def test_a_misspelt_line_of_the_file_is_refused(tmp_path: Path) -> None:
    """A name in `.env` that no setting has is an error, not silence."""
    (tmp_path / ".env").write_text("HIPPOGRAPH_PROT=9001\n")
    with pytest.raises(ValidationError, match=r"(?i)hippograph_prot"):
        Settings()


def test_an_address_needs_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Neo4j of one's own comes with its password."""
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
    """Half of what an LLM needs is refused, and the error says what is missing."""
    for name, value in given.items():
        monkeypatch.setenv(f"HIPPOGRAPH_{name}", value)
    with pytest.raises(ValidationError, match=f"set {missing} too"):
        Settings()


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what is shown nor an error of another setting holds a password or a key."""
    monkeypatch.setenv("HIPPOGRAPH_NEO4J_PASSWORD", "tell-nobody")
    monkeypatch.setenv("HIPPOGRAPH_LLM_API_KEY", "tell-nobody")
    monkeypatch.setenv("HIPPOGRAPH_LLM_BASE_URL", "http://localhost:1/v1")
    monkeypatch.setenv("HIPPOGRAPH_LLM_MODEL", "m")
    assert "tell-nobody" not in f"{shown(Settings())} {Settings()!r}"
    monkeypatch.setenv("HIPPOGRAPH_NEO4J_HEAP_MB", "tell-nobody")
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert "tell-nobody" not in str(caught.value)


def test_another_process_gets_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment that settings make gives the same settings, secrets included."""
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
    )
    for name, value in as_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert settings == Settings()


def test_settings_never_change() -> None:
    """A setting cannot be set after the start."""
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]
