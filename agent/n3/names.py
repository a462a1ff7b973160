"""Names of a text: prefixes, the base, and how an IRI or a prefixed name becomes an absolute IRI."""

from itertools import islice

from agent.errors import ProgramError, closest
from agent.n3.escapes import EscapeError, unescape_iri, unescape_name
from agent.n3.iris import is_absolute, resolve
from agent.n3.lexer import Token, fault
from agent.n3.source import SourceText
from agent.rdf.terms import IRI
from agent.vocab import KNOWN_PREFIXES, THIS_BASE

MAX_FAULTS = 20
_BYTE_ORDER_MARK = "\ufeff"
_LONGEST_GUESSED_NAME = 40
_MOST_GUESSED_FROM = 1000


class Names:
    """The prefixes and the base in force at the current place of the text.

    The empty prefix means ``<#>`` until it is declared. Inside a request body (``enter_body``) relative references
    mean the document that the body ends up in: they are put behind ``THIS_BASE`` unresolved.
    """

    def __init__(self, source: SourceText, base: str) -> None:
        self.prefixes: dict[str, str] = {}
        self.base = base
        self._source = source
        self._implicit = resolve("#", base)
        self._names: dict[str, IRI] = {}
        self._iris: dict[str, IRI] = {}
        self._body_iris: dict[str, IRI] = {}
        self._bodies = 0
        self._reported: set[str] = set()
        self.faults: list[ProgramError] = []

    def declare(self, prefix: str, namespace: IRI) -> None:
        """Let ``prefix`` stand for ``namespace`` from here on."""
        self.prefixes[prefix] = namespace.value
        self._names.clear()

    def excuse(self, prefix: str | None) -> None:
        """Let ``prefix`` pass although it is not declared, because its declaration is a fault by itself."""
        if prefix is not None:
            self._reported.add(prefix)

    def rebase(self, base: IRI) -> None:
        """Resolve relative references against ``base`` from here on."""
        self.base = base.value
        self._iris.clear()

    def enter_body(self) -> None:
        """Begin a request body."""
        self._bodies += 1

    def leave_body(self) -> None:
        """End a request body."""
        self._bodies -= 1

    def iri(self, token: Token) -> IRI:
        """Return the IRI that an ``iri`` token means; a bad escape is added to ``faults``."""
        known = self._body_iris if self._bodies else self._iris
        term = known.get(token.text)
        if term is None:
            term = known[token.text] = IRI(self._resolved(self._unescaped(token)))
        return term

    def name(self, token: Token) -> IRI:
        """Return the IRI that a ``name`` token means; an undeclared prefix is added to ``faults``, once."""
        term = self._names.get(token.text)
        if term is None:
            prefix, _, local = token.text.partition(":")
            term = self._names[token.text] = IRI(self._namespace(prefix, token) + unescape_name(local))
        return term

    def report(self, code: str, message: str, start: int, end: int, hint: str) -> None:
        """Add a fault that does not keep the rest of the text from being read; ``MAX_FAULTS`` are kept."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault(self._source, code, message, start, end, hint))

    def _resolved(self, reference: str) -> str:
        if self._bodies and not is_absolute(reference):
            return THIS_BASE + reference
        return resolve(reference, self.base)

    def _unescaped(self, token: Token) -> str:
        try:
            return unescape_iri(token.text[1:-1])
        except EscapeError as bad:
            start = token.start + 1
            self.report("N3005", bad.reason, start + bad.start, start + bad.end, _IRI_ESCAPES)
            return ""

    def _namespace(self, prefix: str, token: Token) -> str:
        namespace = self.prefixes.get(prefix)
        if namespace is not None:
            return namespace
        if not prefix:
            return self._implicit
        if prefix not in self._reported and len(self.faults) < MAX_FAULTS:
            self._reported.add(prefix)
            end = token.start + len(prefix) + 1
            message = f"expected a declared prefix, got {prefix[:_LONGEST_GUESSED_NAME]}:"
            self.report("N3002", message, token.start, end, self._remedy(prefix))
        return f"{prefix}:"

    def _remedy(self, prefix: str) -> str:
        if prefix.startswith(_BYTE_ORDER_MARK):
            return "a byte order mark (U+FEFF), which cannot be seen, stands before it: delete it"
        if prefix in KNOWN_PREFIXES:
            return f"add the line  @prefix {prefix}: <{KNOWN_PREFIXES[prefix]}> ."
        if prefix == "this":
            return f"add the line  @prefix this: <{THIS_BASE}#> ."
        short = prefix[:_LONGEST_GUESSED_NAME]
        declared = closest(short, islice(self.prefixes, _MOST_GUESSED_FROM))
        if declared:
            return f"did you mean {declared}: ?"
        known = closest(short, KNOWN_PREFIXES)
        if known:
            return f"did you mean {known}: ? then add the line  @prefix {known}: <{KNOWN_PREFIXES[known]}> ."
        return f"add the line  @prefix {short}: <...> .  at the top"


_IRI_ESCAPES = (
    "inside < and > only \\uXXXX and \\UXXXXXXXX are escapes, and they stand for characters an IRI may hold"
)
