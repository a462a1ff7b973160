"""Formulas as documents and programs: what a document says as a formula, and the rules that a formula holds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from agent.errors import Place, ProgramError
from agent.n3.bodies import as_body
from agent.n3.parser import parse
from agent.n3.program import IMPLIES, IS_IMPLIED_BY, DerivationRule, Pattern
from agent.rdf.matching import renamed
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    TRUE,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
)
from agent.vocab import LOG

SEMANTICS = IRI(LOG + "semantics")
CONTENT = IRI(LOG + "content")


class Quotation(Struct, frozen=True):
    """What is known of a document without believing it: its text, and its triples as a formula; nothing if unknown."""

    formula: Formula | None
    text: str | None

    def about(self, name: IRI, predicate: IRI) -> Iterator[Triple]:
        """Yield what log:semantics or log:content, whichever ``predicate`` is, says of ``name``.

        The name is that of the document or of a thing in it.
        """
        if predicate == SEMANTICS and self.formula is not None:
            yield Triple(name, SEMANTICS, self.formula)
        if predicate == CONTENT and self.text is not None:
            yield Triple(name, CONTENT, Literal(self.text))


def quotation_of(text: str, *, source: str, base: str) -> Quotation:
    """Return what a Notation3 or Turtle text says; one that cannot be parsed has a content only."""
    try:
        parsed = parse(text, source=source, base=base)
    except ProgramError:
        return Quotation(None, text)
    return Quotation(quoted(pattern.triple for pattern in parsed.statements), text)


def quoted(triples: Iterable[Triple]) -> Formula:
    """Return ``triples`` as a formula to which all their blank nodes belong."""
    said = tuple(triples)
    names: dict[BlankNode, Term] = {}
    for triple in said:
        for part in triple:
            for node in _nodes(part):
                if not node.is_quoted:
                    names.setdefault(node, BlankNode(f"{node.scope} {node.label}", "{}"))
    return Formula(
        tuple(Triple(*(renamed(part, names) for part in triple)) for triple in said) if names else said
    )


def quoted_document(triples: Iterable[Triple]) -> Formula:
    """Return what a document says as a formula, its lists as terms."""
    return quoted(_with_lists(tuple(triples)))


def _nodes(term: Term) -> Iterable[BlankNode]:
    pending = [term]
    while pending:
        part = pending.pop()
        if isinstance(part, BlankNode):
            yield part
        elif isinstance(part, ListTerm):
            pending.extend(part.items)
        elif isinstance(part, Formula):
            pending.extend(item for triple in part.triples for item in triple)


def _with_lists(triples: Sequence[Triple]) -> tuple[Triple, ...]:
    """Return ``triples`` without the cells of lists that are nothing but lists, those as terms where they stand."""
    first, rest = _only(triples, RDF_FIRST), _only(triples, RDF_REST)
    about = Counter(triple.subject for triple in triples)
    meant = Counter(triple.object for triple in triples)
    cells = {node for node in first.keys() & rest.keys() if about[node] == 2 and meant[node] == 1}
    chains = _chains(cells, rest)
    lists = _resolved({chain[0]: [first[cell] for cell in chain] for chain in chains})
    if not lists:
        return tuple(triples)
    dropped = {cell for chain in chains if chain[0] in lists for cell in chain}
    kept = (
        triple
        for triple in triples
        if triple.subject not in dropped or triple.predicate not in {RDF_FIRST, RDF_REST}
    )
    return tuple(Triple(*(renamed(part, lists) for part in triple)) for triple in kept)


def _chains(cells: set[BlankNode], rest: Mapping[BlankNode, Term]) -> list[list[BlankNode]]:
    """Return the ``cells`` that lead to rdf:nil, list by list from the first cell to the last."""
    before = {rest[cell]: cell for cell in cells}
    chains = []
    for last in cells:
        if rest[last] == RDF_NIL:
            chain = [last]
            while chain[-1] in before:
                chain.append(before[chain[-1]])
            chains.append(chain[::-1])
    return chains


def _resolved(items: Mapping[BlankNode, Sequence[Term]]) -> dict[BlankNode, Term]:
    """Return the lists of ``items`` by their first cells, lists in lists included; what contains itself is left out."""
    missing = {head: sum(1 for item in parts if item in items) for head, parts in items.items()}
    holder = {item: head for head, parts in items.items() for item in parts if item in items}
    ready = [head for head, count in missing.items() if not count]
    made: dict[BlankNode, Term] = {}
    while ready:
        head = ready.pop()
        made[head] = ListTerm(
            tuple(made.get(item, item) if isinstance(item, BlankNode) else item for item in items[head])
        )
        if head in holder:
            missing[holder[head]] -= 1
            if not missing[holder[head]]:
                ready.append(holder[head])
    return made


def _only(triples: Iterable[Triple], predicate: Term) -> dict[BlankNode, Term]:
    """Return the objects of the blank nodes that have ``predicate``, the last one of several."""
    return {
        triple.subject: triple.object
        for triple in triples
        if triple.predicate == predicate and isinstance(triple.subject, BlankNode)
    }


def rules_in(triples: Iterable[Triple], name: str) -> tuple[DerivationRule, ...]:
    """Return the derivation rules among ``triples``, called after ``name``."""
    rules: list[DerivationRule] = []
    place = Place(name)
    for triple in triples:
        body, predicate, head = triple
        if predicate == IS_IMPLIED_BY:
            body, head = head, body
        if predicate not in {IMPLIES, IS_IMPLIED_BY} or not isinstance(head, Formula):
            continue
        if not isinstance(body, Formula) and body != TRUE:
            continue
        patterns = body.triples if isinstance(body, Formula) else ()
        rules.append(
            DerivationRule(
                f"{name}.{len(rules) + 1}",
                as_body(Pattern(each, place) for each in patterns),
                tuple(Pattern(each, place) for each in head.triples),
                place,
            )
        )
    return tuple(rules)
