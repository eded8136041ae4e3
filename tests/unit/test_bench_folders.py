"""The folders in which benchmarks keep their graphs."""

from pathlib import Path

import pytest

from benchmarks.environment import own_settings
from hippograph.api.settings.settings import Settings


@pytest.fixture
def users(tmp_path: Path) -> Settings:
    """The settings of a user who has a Neo4j."""
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        neo4j_uri="bolt://10.0.0.1:7687",
        neo4j_password="secret",
    )


def test_benchmarks_at_once_have_a_folder_each(users: Settings) -> None:
    """Benchmarks at the same time use different folders, so that the second does not empty the graph of the first."""
    with own_settings(users) as first, own_settings(users) as second:
        assert first.data_dir != second.data_dir


def test_a_folder_serves_again_when_its_run_has_ended(users: Settings) -> None:
    """A folder is used again after its run has ended. There are only as many folders as benchmarks ran at the same
    time.
    """
    with own_settings(users) as before:
        pass
    with own_settings(users) as after:
        assert before.data_dir == after.data_dir


def test_a_benchmark_leaves_the_users_graph_alone(users: Settings) -> None:
    """A benchmark uses neither the data folder nor the Neo4j of the user."""
    with own_settings(users) as own:
        assert (True, None) == (own.data_dir.is_relative_to(users.cache_dir), own.neo4j_uri)
