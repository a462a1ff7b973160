"""The parser's stack: one frame for every bracket that is open, one graph for every formula."""

from enum import Enum, auto

from agent.n3.lexer import Token
from agent.n3.parsed import Span, Spans
from agent.rdf.terms import BlankNode, Term, Triple


class State(Enum):
    """What a frame waits for."""

    SUBJECT = auto()
    VERB = auto()
    PREDICATE = auto()
    OF = auto()
    OBJECT = auto()
    AFTER_OBJECT = auto()
    MORE = auto()
    PROPERTIES = auto()
    ITEM = auto()


class Graph:
    """The triples of one formula (or of the document) while they are read, with its own blank node labels."""

    __slots__ = ("_inherits", "labels", "quantified", "scope", "spans", "triples")

    def __init__(self, scope: str, quantified: dict[Term, Term]) -> None:
        self.scope = scope
        self.triples: list[Triple] = []
        self.spans: list[Spans] = []
        self.labels: dict[str, BlankNode] = {}
        self.quantified = quantified
        self._inherits = True

    def quantify(self, name: Term, meaning: Term) -> None:
        """Let ``name`` stand for ``meaning`` in the rest of this formula."""
        if self._inherits:
            self.quantified = dict(self.quantified)
            self._inherits = False
        self.quantified[name] = meaning

    def add(self, triple: Triple, spans: Spans) -> None:
        """Take ``triple``, its parts written at ``spans``."""
        self.triples.append(triple)
        self.spans.append(spans)


class Frame:
    """An open bracket (or the document: ``opening`` is nothing) and how far the statement inside it has come.

    ``comma`` is the offset of the comma before the current object, or -1. ``path`` is what stands left of a pending
    ``!`` or ``^``, that operator, and the span of the whole path so far.
    """

    __slots__ = (
        "comma",
        "graph",
        "inverse",
        "is_body",
        "items",
        "needs_of",
        "opening",
        "path",
        "said",
        "state",
        "subject",
        "subject_span",
        "verb",
        "verb_span",
    )

    def __init__(self, opening: Token | None, graph: Graph, state: State) -> None:
        self.opening = opening
        self.graph = graph
        self.state = state
        self.subject: Term | None = None
        self.subject_span: Span = (0, 0)
        self.verb: Term | None = None
        self.verb_span: Span = (0, 0)
        self.inverse = False
        self.needs_of = False
        self.comma = -1
        self.said = False
        self.items: list[Term] = []
        self.path: tuple[Term, str, Span] | None = None
        self.is_body = False

    @property
    def bracket(self) -> str:
        """The bracket that opened the frame, or the empty text for the document."""
        return self.opening.kind if self.opening else ""
