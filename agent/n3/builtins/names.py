"""``ag:`` builtins: names that the agent gives to what it creates and to what it asks for."""

from agent.n3.builtins.registry import SUBJECT, Context, function
from agent.rdf.digests import digest_of
from agent.rdf.endpoints import construct_uri
from agent.rdf.terms import IRI, ListTerm, Literal, Term, document_of
from agent.vocab import AG

_DIGITS = 16


@function(AG + "elementDocument", lists=SUBJECT)
def element_document(subject: Term, context: Context) -> Term | None:
    """Return the document of an instance's element: ``(container instance stage)``, for a milestone one more.

    Its name is the last path segment of the instance's document, a dot, and the first 16 hexadecimal digits of the
    SHA-256 of the IRIs of instance, stage and milestone, joined by spaces: the same element always gets the same
    name, so that creating it twice is creating it once.
    """
    if not isinstance(subject, ListTerm) or len(subject.items) not in {3, 4}:
        return None
    iris = [item.value for item in subject.items if isinstance(item, IRI)]
    if len(iris) != len(subject.items):
        return None
    container, instance = iris[:2]
    segment = document_of(instance).partition("?")[0].rstrip("/").rpartition("/")[2]
    digest = digest_of(" ".join(iris[1:]), _DIGITS)
    return IRI(f"{container}{segment}.{digest}")


@function(AG + "resultDocument", lists=SUBJECT)
def result_document(subject: Term, context: Context) -> Term | None:
    """Return the document that a SPARQL endpoint answers a query with: ``(endpoint query)``, an IRI and a text."""
    match subject:
        case ListTerm((IRI(endpoint), Literal(query))):
            return IRI(construct_uri(endpoint, query))
        case _:
            return None
