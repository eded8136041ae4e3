import json

import pytest

from hippograph.api.cli.transfer.documents import ImportOptions, _show
from hippograph.graph.model import ExtractionMode
from hippograph.graph.transfer.documents import ImportedDocuments
from hippograph.graph.transfer.formats.reading import Format, Reading


def told(capsys: pytest.CaptureFixture[str], *, pruned: list[str], prune: bool, as_json: bool = False) -> str:
    """Returns what an import of documents prints if `a.md` and `b.md` are gone and these of them were retired."""
    options = ImportOptions(
        ExtractionMode.ALL, None, None, bring_back=False, prune=prune, own_words=False, wait=False, json=as_json
    )
    _show(ImportedDocuments(gone=["a.md", "b.md"], pruned=pruned), Reading(Format.DOCUMENTS, "notes"), options)
    return capsys.readouterr().out


def test_only_what_was_retired_is_told_as_retired(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the documents that are gone, the import says which were retired, which could not be, and which are kept."""
    lines = told(capsys, pruned=["a.md"], prune=True).splitlines()
    assert [
        "a.md is not there any more: it was retired",
        "b.md is not there any more: it could not be retired",
    ] == lines[1:]
    found = json.loads(told(capsys, pruned=["a.md"], prune=True, as_json=True))
    assert (["a.md", "b.md"], ["a.md"]) == (found["gone"], found["pruned"])
    assert "b.md is not there any more: it is kept" in told(capsys, pruned=[], prune=False).splitlines()
