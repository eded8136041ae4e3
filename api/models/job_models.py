"""The models that only jobs need: those that find names, facts and retractions, and the LLM. They take seconds to load,
so a command without jobs does not import this module.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager

from hippograph.api.models.query_models import NO_MODEL
from hippograph.api.settings.settings import Settings
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.frames.retraction import RetractionDetector
from hippograph.nlp.language import LanguageModel, load_language
from hippograph.nlp.llm.endpoint import Endpoint
from hippograph.nlp.llm.uses import Ledger
from hippograph.nlp.names.matching.matcher import load_lists
from hippograph.nlp.names.recognition import NameFinder


@asynccontextmanager
async def open_llm(settings: Settings, ledger: Ledger) -> AsyncIterator[Endpoint | None]:
    """Yields a client of the configured LLM, whose calls `ledger` counts; None without one. Closes it at the end."""
    if settings.llm_model is None:
        yield None
        return
    endpoint = await asyncio.to_thread(_endpoint, settings, ledger)
    try:
        yield endpoint
    finally:
        await endpoint.close()


def load_readers(
    settings: Settings, executor: Executor
) -> tuple[NameFinder | None, LocalExtractor | None, RetractionDetector | None]:
    """Returns the models that read talk: for names, for facts (run in `executor`), and for retractions. Each is None if
    the settings turn it off or it does not exist for the language.
    """
    if settings.ner_model == NO_MODEL:
        return None, None, None
    language = load_language(settings.ner_model)
    load_lists()
    if not _extracts(settings, language):
        return NameFinder(language), None, None
    return NameFinder(language), LocalExtractor(language, executor), RetractionDetector()


def load_fact_reader(settings: Settings) -> LocalExtractor | None:
    """Returns the extractor for facts that are told explicitly; None if the settings turn it off or it does not exist
    for the language. It has its own copy of the language model: remembering a fact does not wait while talk is read.
    """
    if settings.ner_model == NO_MODEL:
        return None
    language = load_language(settings.ner_model)
    return LocalExtractor(language) if _extracts(settings, language) else None


def _extracts(settings: Settings, language: LanguageModel) -> bool:
    # The extraction models are trained on English talk; other languages have names and turns only.
    return settings.extraction_enabled and language.name == "en" and "parser" in language.pipes


def _endpoint(settings: Settings, ledger: Ledger) -> Endpoint:
    assert settings.llm_base_url is not None
    assert settings.llm_model is not None
    return Endpoint(
        settings.llm_base_url,
        settings.llm_model,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
        timeout_s=settings.llm_timeout_s,
        ledger=ledger,
    )
