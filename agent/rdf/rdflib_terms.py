"""Between our terms and those of rdflib, whose graphs callers hand in and get back.

A module of its own, since rdflib takes long to load and the command line hardly ever needs it.
"""

import rdflib
from rdflib.term import Node

from agent.rdf.convert import flat_label
from agent.rdf.terms import IRI, LANG_STRING, XSD_STRING, BlankNode, Literal, Term, Variable


def to_rdflib(term: Term) -> Node:
    """Return ``term`` as rdflib knows it, its lexical form untouched; ValueError if rdflib cannot hold it."""
    match term:
        case IRI(value):
            return rdflib.URIRef(value)
        case BlankNode():
            return rdflib.BNode(flat_label(term))
        case Literal(lexical, datatype, language):
            if language:
                return rdflib.Literal(lexical, lang=language)
            if datatype == XSD_STRING:
                return rdflib.Literal(lexical)
            return rdflib.Literal(lexical, datatype=rdflib.URIRef(datatype), normalize=False)
        case Variable(name):
            return rdflib.Variable(name)
        case _:
            raise ValueError(f"rdflib cannot hold a {type(term).__name__}")


def from_rdflib(term: Node, scope: str = "") -> Term:
    """Return the rdflib ``term`` as ours; its blank nodes belong to ``scope``; ValueError for other things."""
    if isinstance(term, rdflib.URIRef):
        return IRI(str(term))
    if isinstance(term, rdflib.BNode):
        return BlankNode(str(term), scope)
    if isinstance(term, rdflib.Variable):
        return Variable(str(term))
    if isinstance(term, rdflib.Literal):
        if term.language:
            return Literal(str(term), LANG_STRING, term.language.lower())
        return Literal(str(term), str(term.datatype) if term.datatype else XSD_STRING)
    raise ValueError(f"a {type(term).__name__} is no RDF term")
