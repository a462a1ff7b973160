"""Programs and facts named by URL, for commands that most of the time read files only."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.runtime.inputs import Retrieved


def retrieve(uri: str) -> "Retrieved":
    """Fetch ``uri``; the HTTP client is loaded when the first URL needs it."""
    from agent.runtime.retrieval import retriever
    from agent.settings import read_settings

    return retriever(read_settings())(uri)
