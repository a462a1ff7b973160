"""A SPARQL ASK query as a sentry: checked once, then asked for one instance after the other.

Two names mean the instance that asks: ``?thisArtifactInstance`` and ``gsm:thisArtifactInstance``. Both are replaced
in the text, because a value given from outside does not reach FILTER, NOT EXISTS or sub-queries. NOW() is the
instant of the step, for every sentry the same.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import pyoxigraph as ox

from agent.gsm.terms import RENAMED_QUESTIONS, THIS_INSTANCE
from agent.n3.sparql import Token, expand, prefixes_of, tokens_of
from agent.vocab import KNOWN_PREFIXES, XSD

THIS_VARIABLE = "thisArtifactInstance"
_REFUSED = {
    "RAND": "RAND() would give another answer each time",
    "UUID": "UUID() would give another answer each time",
    "STRUUID": "STRUUID() would give another answer each time",
    "BNODE": "BNODE() would make up what no document says",
    "SERVICE": "SERVICE would ask the Web while deciding; name the endpoint with ag:source",
}
_OPENING = frozenset("{([")
_CLOSING = frozenset("})]")
_DATASET = frozenset({"FROM", "GRAPH"})
_IRI = re.compile(r'[^\x00-\x20<>"{}|^`\\]+')
_INSTANCE_MARK = "\x00instance\x00"
_INSTANT_MARK = "\x00instant\x00"
_SAMPLE = "http://example.org/instance#it"
_SAMPLE_INSTANT = "2000-01-01T00:00:00.000Z"
_MESSAGE_LENGTH = 160
MAX_LENGTH = 10_000
MAX_TOKENS = 600
MAX_NESTING = 32
"""Larger or deeper queries are refused: SPARQL engines recurse, and plan in more than linear time."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is known about a query before it is asked.

    ``fault`` says why it can never be asked, or is empty. ``negates``: more data can make it false.
    ``is_relative``: its answer depends on the instance. ``reads_time``: it uses NOW(). ``uses_graphs``: it names
    documents as graphs. ``sources`` are the documents it names, for retrieval. ``given`` are the prefixes that it has
    from outside its text.
    """

    text: str
    base: str
    fault: str = ""
    negates: bool = False
    is_relative: bool = False
    reads_time: bool = False
    uses_graphs: bool = False
    sources: frozenset[str] = frozenset()
    prefixes: Mapping[str, str] = field(default_factory=dict, compare=False)
    template: str = ""
    given: tuple[tuple[str, str], ...] = ()

    @property
    def prefixes_used(self) -> tuple[tuple[str, str], ...]:
        """Return the prefixes that occur in the text, sorted: those that can matter to what it means."""
        return tuple(pair for pair in sorted(self.prefixes.items()) if f"{pair[0]}:" in self.text)

    def asked(self, instance: str, instant: str) -> str:
        """Return the text to evaluate for ``instance`` at ``instant``; ValueError if that is no usable IRI."""
        if not _IRI.fullmatch(instance):
            raise ValueError(f"{instance} is not an IRI")
        return self.template.replace(_INSTANCE_MARK, instance).replace(_INSTANT_MARK, instant)


@lru_cache(maxsize=4096)
def read_question(text: str, base: str, given: tuple[tuple[str, str], ...] = ()) -> Question:
    """Return the query ``text``, whose relative references are relative to ``base``.

    Prefixes are the text's own, then ``given``, then those of ``KNOWN_PREFIXES``. A faulty query is returned too.
    """
    if len(text) > MAX_LENGTH:
        return Question(text, base, fault=f"1:1: the query is longer than {MAX_LENGTH} characters")
    known = {**KNOWN_PREFIXES, **dict(given)}
    tokens = tokens_of(text)
    if sum(token.kind != "space" for token in tokens) > MAX_TOKENS:
        return Question(text, base, fault=f"1:1: the query has more than {MAX_TOKENS} words and signs")
    prefixes = prefixes_of(tokens, base, known)
    question = Question(text, base, prefixes=prefixes, given=given)
    fault = _fault(tokens, prefixes, text) or _syntax_fault(text, question)
    if fault:
        return replace(question, fault=fault)
    try:
        template = "".join(_Rewriting(tokens, prefixes).pieces())
    except ValueError as error:
        return replace(question, fault=str(error))
    question = replace(question, template=template)
    fault = _syntax_fault(question.asked(_SAMPLE, _SAMPLE_INSTANT), question)
    if fault:
        return replace(question, fault=fault)
    words = {token.keyword for token in tokens}
    negates, sources = _findings(question)
    return replace(
        question,
        negates=negates,
        is_relative=any(_means_this(token, prefixes) for token in tokens),
        reads_time="NOW" in words,
        uses_graphs=bool(words & _DATASET),
        sources=sources,
    )


def _findings(question: Question) -> tuple[bool, frozenset[str]]:
    """Return whether more data can make a question false, and the documents that it names."""
    from agent.gsm.questions.plain import plain_findings  # noqa: PLC0415  questions are read from this module

    found = plain_findings(question)
    if found is not None:
        return found
    from agent.gsm.monotony import examine  # noqa: PLC0415  loads rdflib's SPARQL slowly; few queries need it

    findings = examine(question.text, question.base, question.prefixes)
    return findings.negates, findings.sources


def _means_this(token: Token, prefixes: Mapping[str, str]) -> bool:
    match token.kind:
        case "variable":
            return token.text[1:] == THIS_VARIABLE
        case "iri":
            return token.text[1:-1] == THIS_INSTANCE.value
        case "name":
            return expand(token, prefixes) == THIS_INSTANCE.value
        case _:
            return False


def _fault(tokens: list[Token], prefixes: Mapping[str, str], text: str) -> str:
    """Return why the query cannot be a sentry, before its syntax is looked at."""
    form = ""
    nesting = 0
    for index, token in enumerate(tokens):
        nesting += (token.text in _OPENING) - (token.text in _CLOSING)
        if nesting > MAX_NESTING:
            return f"{_place(text, token.start)}: nested deeper than {MAX_NESTING} levels"
        if token.kind == "name" and expand(token, prefixes) is None and not _is_declared(tokens, index):
            prefix = token.text.partition(":")[0]
            return f"{_place(text, token.start)}: the prefix {prefix}: is not declared; add PREFIX {prefix}: <...>"
        if token.kind != "word":
            continue
        if token.keyword in _REFUSED:
            return f"{_place(text, token.start)}: {_REFUSED[token.keyword]}"
        if not form and token.keyword in {"ASK", "SELECT", "CONSTRUCT", "DESCRIBE"}:
            form = token.keyword
    return "" if form == "ASK" else f"1:1: a sentry is an ASK query, this one is {form or 'none'}"


def _is_declared(tokens: list[Token], index: int) -> bool:
    """Tell whether the name at ``index`` stands right after PREFIX."""
    before = (token for token in reversed(tokens[:index]) if token.kind != "space")
    return next(before, Token("", "", 0)).keyword == "PREFIX"


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"{line}:{position - text.rfind(chr(10), 0, position)}"


def _syntax_fault(text: str, question: Question) -> str:
    """Return what the SPARQL engine says against ``text``, a form of the question, or nothing."""
    try:
        ox.Store().query(text, base_iri=question.base or None, prefixes=dict(question.prefixes))
    except SyntaxError as error:
        return _shortened(" ".join(str(error).removeprefix("error at ").split()), text)
    except (ValueError, RuntimeError, OSError) as error:
        return str(error)[:_MESSAGE_LENGTH]
    return ""


def _shortened(message: str, text: str) -> str:
    """Return the engine's message without its list of everything that it would have liked."""
    place = message.partition(": ")[0]
    if "expected one of" not in message:
        return message[:_MESSAGE_LENGTH]
    if place == _place(text, len(text)):
        return f"{place}: the query ends too early"
    return f"{place}: this does not belong here"


class _Rewriting:
    """One pass over the tokens of a query that marks where the instance and the instant belong."""

    def __init__(self, tokens: list[Token], prefixes: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._prefixes = prefixes
        self._instance = f"<{_INSTANCE_MARK}>"
        self._now = f'"{_INSTANT_MARK}"^^<{XSD}dateTime>'
        self._clause = ""
        self._depth = 0

    def pieces(self) -> list[str]:
        """Return the pieces of the rewritten text; ValueError where the instance would have to be a variable."""
        out: list[str] = []
        index = 0
        while index < len(self._tokens):
            token = self._tokens[index]
            call = self._call(index)
            if token.keyword == "NOW" and call is not None and not call[0]:
                out.append(self._now)
                index = call[1]
                continue
            if token.keyword == "BOUND" and call is not None and self._is_this_variable(call[0]):
                out.append("true")
                index = call[1]
                continue
            self._follow(token)
            out.append(self._replaced(token, index))
            index += 1
        return out

    def _call(self, index: int) -> tuple[list[Token], int] | None:
        """Return the arguments of a call without inner parentheses, and the index after it."""
        following = [
            (i, t) for i, t in enumerate(self._tokens[index + 1 : index + 9], index + 1) if t.kind != "space"
        ]
        if not following or following[0][1].text != "(":
            return None
        for position, (i, token) in enumerate(following):
            if token.text == ")":
                return [argument for _, argument in following[1:position]], i + 1
        return None

    @staticmethod
    def _is_this_variable(arguments: list[Token]) -> bool:
        return [a.text[1:] for a in arguments if a.kind == "variable"] == [THIS_VARIABLE] and len(
            arguments
        ) == 1

    def _follow(self, token: Token) -> None:
        """Note in which clause the next tokens stand, where variables of the outside matter."""
        if token.keyword in {"SELECT", "GROUP", "ORDER", "VALUES"}:
            self._clause, self._depth = token.keyword, 0
        elif token.text in {"{", "}"} or token.keyword in {"WHERE", "HAVING", "LIMIT", "OFFSET"}:
            self._clause = ""
        elif token.text == "(":
            self._depth += 1
        elif token.text == ")":
            self._depth -= 1

    def _replaced(self, token: Token, index: int) -> str:
        if token.kind in {"name", "iri"}:
            iri = expand(token, self._prefixes) if token.kind == "name" else token.text[1:-1]
            return f"<{RENAMED_QUESTIONS[iri]}>" if iri in RENAMED_QUESTIONS else self._this_or(token)
        return self._this_or(token, index)

    def _this_or(self, token: Token, index: int = -1) -> str:
        if not _means_this(token, self._prefixes):
            return token.text
        if token.kind != "variable":
            return self._instance
        before = next((t.keyword for t in reversed(self._tokens[:index]) if t.kind != "space"), "")
        if before == "AS" or self._clause == "VALUES":
            raise ValueError(f"?{THIS_VARIABLE} is the instance that asks, the query may not give it a value")
        if self._clause == "SELECT" and not self._depth:
            return f"({self._instance} AS ?{THIS_VARIABLE})"
        return f"({self._instance})" if self._clause in {"GROUP", "ORDER"} else self._instance
