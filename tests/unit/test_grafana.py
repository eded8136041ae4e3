"""The dashboard of docs/grafana.json, against the metrics that exist."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.observability.metrics import Metrics
from hippograph.graph.jobs.model_uses import ModelUse
from hippograph.graph.jobs.queue import Backlog
from hippograph.graph.retention.recall import RecallCounts

NOW = datetime(2026, 5, 3, tzinfo=UTC)
SUFFIXES = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"], "gauge": [""]}
"""Suffixes of the series of a metric, by its kind."""
OF_PROMETHEUS = {"instance", "le"}
"""Labels added by Prometheus or by the kind of the metric."""


@pytest.fixture
def labels() -> dict[str, set[str]]:
    """The labels of each metric of a process, by the name of the series."""
    metrics = Metrics()
    metrics.cache("queries", lambda: type("Info", (), {"hits": 1, "misses": 1})())
    metrics.queues({"enrich": Backlog(1, 0, 0, {})}, {"enrich": 1.0})
    metrics.retries({"memory/record_turns": 1})
    metrics.recall(lambda: RecallCounts(waiting=0, written=1, lost=1, failures=0, last_failure=None))
    metrics.language_model([ModelUse("facts", NOW, 1, 1, 0, 0, 0, 0, 0, 1, NOW, None, None)])
    told: dict[str, set[str]] = {}
    for family in metrics.registry.collect():
        collector = metrics.registry._names_to_collectors.get(family.name)
        named = set(getattr(collector, "_labelnames", ())) or set(*(sample.labels for sample in family.samples[:1]))
        told |= {family.name + suffix: named for suffix in SUFFIXES[family.type]}
    return told


def expressions(root: Path) -> list[str]:
    """The Prometheus expressions of all panels."""
    board: dict[str, Any] = json.loads((root / "docs" / "grafana.json").read_text("utf-8"))
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]


def selectors(expression: str) -> Iterator[tuple[str, set[str]]]:
    """Yields the name of each metric in an expression, and the labels by which it is selected."""
    for name, chosen in re.findall(r"\b((?:hippograph|process|python)_\w+)(\{[^}]*\})?", expression):
        yield name, set(re.findall(r'(\w+)\s*=~?"', chosen))


def test_every_metric_of_the_dashboard_is_told(root: Path, labels: dict[str, set[str]]) -> None:
    """Each metric on the dashboard exists, with the labels by which it is selected and grouped."""
    asked = expressions(root)
    wrong = []
    for expression in asked:
        grouped = {label for names in re.findall(r"by \(([^)]*)\)", expression) for label in names.split(", ")}
        for name, chosen in selectors(expression):
            if name not in labels or not grouped | chosen <= labels[name] | OF_PROMETHEUS:
                wrong.append((name, expression))
    assert [] == wrong
    assert len(asked) > 20


def test_every_metric_of_ours_is_on_the_dashboard(root: Path, labels: dict[str, set[str]]) -> None:
    """Each metric of hippograph in `labels` occurs in some expression of the dashboard, whatever its suffix."""
    shown = " ".join(expressions(root))
    ours = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in labels if name.startswith("hippograph_")}
    assert set() == {name for name in ours if name not in shown}
