"""SPARQL over the memory of a run."""

from collections.abc import Iterable

import pyoxigraph as ox

from agent.errors import Place, ProgramError
from agent.rdf.convert import to_ox_triples
from agent.rdf.terms import Triple

_RESULT_FORMATS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "srj": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "srx": ox.QueryResultsFormat.XML,
}
_GRAPH_FORMATS = {"ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES}


def check_query(query: str, *, source: str) -> None:
    """Raise ProgramError N3001 if ``query``, named ``source`` in messages, is no SPARQL query."""
    _results(ox.Store(), query, source)


def answer_query(query: str, memory: Iterable[Triple], *, source: str, ending: str) -> bytes:
    """Return the answer to ``query``, named ``source`` in messages, over what plain RDF can hold of ``memory``.

    ``ending`` chooses the format: csv, tsv, json, xml for SELECT, and json, xml for ASK (JSON for other endings); ttl
    or nt for CONSTRUCT and DESCRIBE (N-Triples for others). ProgramError N3001 if the query is none.
    """
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in to_ox_triples(memory))
    results = _results(store, query, source)
    if isinstance(results, ox.QueryTriples):
        written = results.serialize(format=_GRAPH_FORMATS.get(ending, ox.RdfFormat.N_TRIPLES))
    else:
        tabular = isinstance(results, ox.QuerySolutions)
        wanted = _RESULT_FORMATS.get(ending, ox.QueryResultsFormat.JSON)
        known = tabular or wanted in (ox.QueryResultsFormat.JSON, ox.QueryResultsFormat.XML)
        written = results.serialize(format=wanted if known else ox.QueryResultsFormat.JSON)
    return written or b""


def _results(
    store: ox.Store, query: str, source: str
) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
    try:
        return store.query(query)
    except SyntaxError as error:
        raise ProgramError("N3001", f"this is no SPARQL query: {error}", place=Place(source)) from None
