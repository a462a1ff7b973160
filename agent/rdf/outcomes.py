"""What a step knows of its documents so far, with those that it does not know kept apart as they come."""

from collections.abc import Iterator, KeysView, Mapping
from collections.abc import Set as AbstractSet

from agent.rdf.documents import Content, Gone, Outcome


def is_known(outcome: Outcome | None) -> bool:
    """Tell whether everything that a document says is known: read in full, or known to be gone."""
    if isinstance(outcome, Content):
        return not outcome.skipped
    return isinstance(outcome, Gone)


class Outcomes(Mapping[str, Outcome]):
    """Outcomes by URI; ``unread`` are the URIs of documents that are not, or not wholly, known."""

    def __init__(self) -> None:
        self.unread: set[str] = set()
        self._outcomes: dict[str, Outcome] = {}

    def __getitem__(self, uri: str) -> Outcome:
        """Return the outcome of ``uri``; KeyError if there is none."""
        return self._outcomes[uri]

    def __contains__(self, uri: object) -> bool:
        """Tell whether there is an outcome of ``uri``."""
        return uri in self._outcomes

    def __iter__(self) -> Iterator[str]:
        """Yield the URIs in the order in which they came."""
        return iter(self._outcomes)

    def __len__(self) -> int:
        """Return how many URIs there are."""
        return len(self._outcomes)

    def keys(self) -> KeysView[str]:
        """Return the URIs."""
        return self._outcomes.keys()

    def put(self, uri: str, outcome: Outcome) -> None:
        """Take the outcome of ``uri``, in the place of one that was there before."""
        self._outcomes[uri] = outcome
        if not is_known(outcome):
            self.unread.add(uri)
        elif self.unread:
            self.unread.discard(uri)

    def drop(self, uri: str) -> None:
        """Forget the outcome of ``uri``."""
        del self._outcomes[uri]
        self.unread.discard(uri)


def unread_of(outcomes: Mapping[str, Outcome]) -> AbstractSet[str]:
    """Return the URIs in ``outcomes`` of documents that are not, or not wholly, known."""
    if isinstance(outcomes, Outcomes):
        return outcomes.unread
    return {uri for uri, outcome in outcomes.items() if not is_known(outcome)}
