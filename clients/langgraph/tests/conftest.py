"""LangGraph tells nobody anything in tests."""

import os

os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"
