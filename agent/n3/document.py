"""A text in Notation3 or Turtle laid out for people, which reads back to the same."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from agent.n3.blank_names import BlankNames, is_blank
from agent.n3.layout import WIDTH, Piece, block, lay_out, width_of
from agent.n3.nesting import Nesting, nest
from agent.n3.write import VERBS, Writer
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)

Part: TypeAlias = Term | str

_MARGIN = 4
_A: Mapping[Term, str] = {RDF_TYPE: "a"}


def write_statements(
    triples: Sequence[Triple], lone: Sequence[Term] = (), prefixes: Mapping[str, str] | None = None
) -> str:
    """Return ``triples``, and terms that stand alone, as Notation3 in the order given."""
    writer = Writer(prefixes)
    text = statements_of(writer, triples, lone)
    return writer.head_of_used() + text


def statements_of(writer: Writer, triples: Sequence[Triple], lone: Sequence[Term] = ()) -> str:
    """Return the statements alone, written with the prefixes of ``writer``; blank nodes get names of their own."""
    names = BlankNames([*(term for triple in triples for term in triple), *lone], is_source=True)
    text = _Text(writer, names, Nesting(), VERBS)
    return "".join([*text.quantifiers(), *map(text.sentence, triples), *map(text.lone, lone)])


def write_data(triples: Iterable[Triple], prefixes: Mapping[str, str], *, turtle: bool = False) -> str:
    """Return ``triples`` for people: sorted, subjects together, closed lists as ``( )``, blank nodes nested.

    As Notation3, or as Turtle if every triple is one that ``fits_turtle``.
    """
    writer = Writer(prefixes)
    nesting = nest(triples)
    terms = (
        term
        for subject in nesting.roots + list(nesting.inline)
        for predicate, objects in nesting.of(subject).items()
        for term in (subject, predicate, *objects)
    )
    text = _Text(writer, BlankNames(terms, is_source=False), nesting, _A if turtle else VERBS)
    said = [*text.quantifiers(), *(text.about(subject) for subject in nesting.roots)]
    return writer.head_of_used() + "".join(said)


def fits_turtle(triple: Triple) -> bool:
    """Tell whether Turtle can say ``triple``."""
    subject, predicate, object_ = triple
    pending = [subject, object_]
    while pending:
        term = pending.pop()
        if isinstance(term, Formula | Variable):
            return False
        if isinstance(term, ListTerm):
            pending.extend(term.items)
    return isinstance(predicate, IRI) and not isinstance(subject, Literal)


class _Opened(NamedTuple):
    """What stands between two brackets: lines of terms and signs."""

    opening: str
    lines: Sequence[Sequence[Part]]
    closing: str


class _Text(NamedTuple):
    """Writes the statements of one text."""

    writer: Writer
    names: BlankNames
    nesting: Nesting
    verbs: Mapping[Term, str]

    def quantifiers(self) -> Iterator[str]:
        """Yield the directive for the nodes that formulas share."""
        directive = self.names.quantified(None)
        if directive:
            yield f"{directive} .\n"

    def sentence(self, triple: Triple) -> str:
        """Return a statement of one triple."""
        return lay_out([*map(self._piece, self._sentence(triple)), " ."]) + "\n"

    def lone(self, term: Term) -> str:
        """Return a statement of one term."""
        return lay_out([self._piece(term), " ."]) + "\n"

    def about(self, subject: Term) -> str:
        """Return the statement that says all that is known about ``subject``."""
        properties = dict(self.nesting.of(subject))
        head: Part = "[]" if subject in self.nesting.unnamed else subject
        members = self.nesting.members(subject)
        if members is not None and subject in self.nesting.unnamed and len(properties) > 2:
            head = ListTerm(tuple(members))
            del properties[RDF_FIRST], properties[RDF_REST]
        pieces = [self._piece(head), " "]
        for number, (predicate, objects) in enumerate(properties.items()):
            if number:
                pieces += [" ;", "\n" + " " * _MARGIN]
            pieces += self._verb_and_objects(predicate, objects)
        return lay_out([*pieces, " ."], _MARGIN) + "\n"

    def _verb_and_objects(self, predicate: Term, objects: Sequence[Term]) -> list[Piece]:
        pieces = [*map(self._piece, self._verb(predicate)), " "]
        written = [self._piece(object_) for object_ in objects]
        fits = width_of([*pieces, *written]) + 2 * len(written) <= WIDTH - 2 * _MARGIN
        between = ", " if fits else ",\n" + " " * 2 * _MARGIN
        for number, piece in enumerate(written):
            pieces += [between, piece] if number else [piece]
        return pieces

    def _sentence(self, triple: Triple) -> list[Part]:
        return [triple.subject, " ", *self._verb(triple.predicate), " ", triple.object]

    def _verb(self, predicate: Term) -> list[Part]:
        sign = self.verbs.get(predicate)
        if sign is not None:
            return [sign]
        is_plain = predicate != RDF_NIL and isinstance(predicate, IRI | Variable)
        # Else a formula before it would be taken for a statement of its own.
        return [predicate] if is_plain else ["has ", predicate]

    def _piece(self, part: Part) -> Piece:
        if isinstance(part, IRI | Literal):  # most are, and have no parts
            return self.writer.atom(part)
        results: list[Piece] = []
        pending: list[Part | _Opened] = [part]
        while pending:
            next_one = pending.pop()
            if isinstance(next_one, str):
                results.append(next_one)
            elif isinstance(next_one, _Opened):
                _close(next_one, results)
            else:
                opened = self._open(next_one)
                if opened is None:
                    results.append(self._atom(next_one))
                else:
                    pending.append(opened)
                    pending.extend(each for line in reversed(opened.lines) for each in reversed(line))
        return results.pop()

    def _atom(self, term: Term) -> str:
        if term in self.nesting.inline:
            return "[]"
        return self.names.text(term) if is_blank(term) else self.writer.atom(term)

    def _open(self, term: Term) -> _Opened | None:
        """Return what stands in the brackets of ``term``, or nothing if it has none."""
        match term:
            case ListTerm(items):
                return _Opened("(", [[item] for item in items], ")") if items else None
            case Formula(triples):
                return self._open_formula(term, triples)
        if term not in self.nesting.inline:
            return None
        members = self.nesting.members(term)
        properties = self.nesting.of(term)
        if members is not None and len(properties) == 2:
            return _Opened("(", [[member] for member in members], ")")
        lines = [
            [*self._verb(predicate), " ", *_listed(objects)] for predicate, objects in properties.items()
        ]
        return _Opened("[", _ended(lines, " ;"), "]") if lines else None

    def _open_formula(self, formula: Formula, triples: Sequence[Triple]) -> _Opened | None:
        quantifiers = self.names.quantified(formula)
        lines: list[list[Part]] = [[quantifiers]] if quantifiers else []
        lines += [self._sentence(triple) for triple in triples]
        return _Opened("{", _ended(lines, " ."), "}") if lines else None


def _listed(objects: Sequence[Term]) -> Iterator[Part]:
    for number, object_ in enumerate(objects):
        if number:
            yield ", "
        yield object_


def _ended(lines: Sequence[Sequence[Part]], sign: str) -> list[Sequence[Part]]:
    """Return ``lines`` with ``sign`` behind all but the last."""
    return [*([*line, sign] for line in lines[:-1]), *lines[-1:]]


def _close(opened: _Opened, results: list[Piece]) -> None:
    """Replace the pieces of ``opened`` at the end of ``results`` by one block."""
    start = len(results) - sum(map(len, opened.lines))
    pieces = iter(results[start:])
    lines = [[next(pieces) for _ in line] for line in opened.lines]
    results[start:] = [block(opened.opening, lines, opened.closing)]
