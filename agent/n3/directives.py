"""Directives: @prefix and @base, their SPARQL spellings, and the quantifiers @forAll and @forSome."""

import re
from typing import Protocol

from agent.n3.frames import Graph
from agent.n3.literals import Cursor
from agent.rdf.terms import IRI, BlankNode, Variable

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9]+")


class Host(Cursor, Protocol):
    """What directives need of the parser; ``dialect`` lets quantifiers through."""

    dialect: bool

    def fresh(self, graph: Graph) -> BlankNode:
        """Return a new blank node of ``graph``."""


class Directives:
    """Reads directives for one parser."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._universals = 0

    def read(self, graph: Graph) -> bool:
        """Take a directive, if the current token begins one, and say whether it did."""
        token = self._host.token
        if token.kind == "at":
            match token.text:
                case "@prefix":
                    self._prefix()
                case "@base":
                    self._base()
                case "@forAll" | "@forSome" if self._host.dialect:
                    self._quantifier(graph, universal=token.text == "@forAll")
                case _:
                    raise self._host.unexpected("a statement, @prefix or @base")
            self._dot()
            return True
        if token.kind == "word" and token.text.upper() in {"PREFIX", "BASE"}:
            if token.text.upper() == "PREFIX":
                self._prefix()
            else:
                self._base()
            return True
        return False

    def _prefix(self) -> None:
        host = self._host
        host.advance()
        name = host.token
        if name.kind != "name" or name.text.partition(":")[2]:
            raise host.unexpected("a prefix and a colon, such as ex:")
        host.advance()
        if host.token.kind != "iri":
            raise host.unexpected("the IRI of the prefix between < and >")
        host.names.declare(name.text[:-1], host.names.iri(host.token))
        host.advance()

    def _base(self) -> None:
        host = self._host
        host.advance()
        if host.token.kind != "iri":
            raise host.unexpected("the IRI of the base between < and >")
        host.names.rebase(host.names.iri(host.token))
        host.advance()

    def _dot(self) -> None:
        host = self._host
        if host.token.kind == ".":
            host.advance()
        elif host.token.kind != "}":
            raise host.unexpected(".")

    def _quantifier(self, graph: Graph, *, universal: bool) -> None:
        """Let the IRIs that follow stand for variables or blank nodes in the rest of this formula."""
        host = self._host
        while True:
            host.advance()
            token = host.token
            if token.kind not in {"iri", "name"}:
                raise host.unexpected("the IRI to quantify")
            iri = host.names.iri(token) if token.kind == "iri" else host.names.name(token)
            graph.quantify(iri, self._universal(iri) if universal else host.fresh(graph))
            host.advance()
            if host.token.kind != ",":
                return

    def _universal(self, iri: IRI) -> Variable:
        """Return a new variable; names that begin with two underscores are kept for these."""
        self._universals += 1
        stem = _NOT_IN_A_NAME.sub("_", re.split("[/#:]", iri.value)[-1])
        return Variable(f"__{stem}_{self._universals}")
