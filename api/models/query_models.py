"""The models that queries need, by the settings: the embedding model and the intent classifier."""

from typing import Final

from hippograph.api.settings.settings import Settings
from hippograph.graph.artifacts.embedding_models import MODELS, fetch_embedder
from hippograph.graph.artifacts.fetching import Progress
from hippograph.nlp.embedding.embedder import Embedder, load_embedder
from hippograph.nlp.questions.intent import IntentClassifier, load_classifier

NO_MODEL: Final = "none"


def embedder_of(settings: Settings, progress: Progress | None = None) -> Embedder | None:
    """Loads the embedding model in the settings, and downloads it the first time; None if it is `none`."""
    if settings.embedding_model == NO_MODEL:
        return None
    fetched = settings.embedding_model in MODELS
    return load_embedder(
        settings.embedding_model,
        folder=fetch_embedder(settings.embedding_model, settings.cache_dir, progress) if fetched else None,
        dimensions=settings.embedding_dimensions,
        query_prompt=settings.embedding_query_prompt,
        document_prompt=settings.embedding_document_prompt,
        threads=settings.embedding_threads,
    )


def classifier_of(settings: Settings, embedder: Embedder | None) -> IntentClassifier:
    """Loads the intent classifier for the embedding model."""
    folder = settings.cache_dir / "intents"
    return load_classifier(embedder, folder, threshold=settings.intent_similarity_threshold)
