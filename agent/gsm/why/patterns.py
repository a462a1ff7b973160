"""A question of a sentry, pattern by pattern: how many solutions there are up to each, where they end, and why."""

from collections.abc import Iterable, Sequence

import pyoxigraph as ox
from msgspec.structs import replace

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import Question
from agent.gsm.why.derivations import Derivations
from agent.gsm.why.explanation import Asked, Candidate, Part
from agent.gsm.why.measured import miss, turned
from agent.gsm.why.naming import LONGEST_TEXT, cut_short, entity_name, value_text
from agent.gsm.why.nearest import MOST_TRIED, Tried, candidate, nearest, unknown_source
from agent.gsm.why.pieces import Comparison, Cut, Piece, cut, on_one_line, order
from agent.gsm.why.scope import Counter, Row, Scope
from agent.gsm.why.snapshot import Snapshot
from agent.rdf.convert import from_ox
from agent.rdf.terms import IRI, Term, Triple

MAX_NEAREST = 12
MAX_PARTS = 60
MAX_DEPTH = 6
_LEFT, _RIGHT = "milepostLeft", "milepostRight"


def explain_question(
    snapshot: Snapshot, question: Question, evaluation: Evaluation, *, holds: bool | None
) -> Asked:
    """Return the parts of ``question``; ``holds``: its answer, if it is known.

    A query that cannot be cut, or whose parts do not add up to its answer, is one part.
    """
    text = question.asked(snapshot.instance.value, snapshot.instant)
    shown = _Words(snapshot, question)
    pieces = cut(text)
    shown.with_nodes(pieces.nodes if pieces else ())
    whole = cut_short(shown.text(pieces.whole if pieces else on_one_line(text)), LONGEST_TEXT)
    if pieces is not None:
        parts, example = _Explainer(snapshot, question, evaluation, pieces, shown).explain()
        if holds is None or _agree(parts, holds, has_tail=bool(pieces.tail)):
            if pieces.tail and holds is False and not any(part.stops for part in parts):
                parts = (*parts[:-1], replace(parts[-1], matches=0, stops=True))
            return Asked(whole, _unstopped(parts) if holds else parts, example)
    matches = None if holds is None else int(holds)
    return Asked(whole, (Part("1", "query", whole, matches, None, stops=holds is False),))


def _agree(parts: Sequence[Part], holds: bool, *, has_tail: bool) -> bool:
    """Tell whether the counts say what the answer says, as far as they were taken on everything."""
    if has_tail or not parts or any(part.is_bounded or part.matches is None for part in parts):
        return True
    return bool(parts[-1].matches) == holds and not any(part.stops for part in parts[:-1])


def _unstopped(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts of a question that holds: where only a sample was counted, nothing stops at its end."""
    return tuple(
        replace(part, stops=False, nearest=(), more=0, before=part.before or None, branches=())
        for part in parts
    )


class _Words:
    """How pieces of the text that is asked are shown: as their author wrote them."""

    def __init__(self, snapshot: Snapshot, question: Question) -> None:
        self._changes = [(f"<{snapshot.instance.value}>", "?thisArtifactInstance")]
        if question.reads_time:
            self._changes.append(
                (f'"{snapshot.instant}"^^<http://www.w3.org/2001/XMLSchema#dateTime>', "NOW()")
            )
        self._changes += [
            (f"<{namespace}{name}>", f"ag:{name}")
            for namespace in ("https://w3id.org/milepost/agent#",)
            for name in ("hasUnachievedMilestone", "hasActiveStage", "hasInactiveStage")
        ]

    def with_nodes(self, nodes: Iterable[tuple[str, str]]) -> None:
        """Show the variables ``nodes`` as the blank nodes that they were."""
        self._changes += [(f"?{name}", label) for name, label in sorted(nodes, reverse=True)]

    def text(self, text: str) -> str:
        for made, written in self._changes:
            text = text.replace(made, written)
        return text


class _Explainer:
    """Explains one question."""

    def __init__(
        self, snapshot: Snapshot, question: Question, evaluation: Evaluation, pieces: Cut, words: _Words
    ) -> None:
        self._snapshot = snapshot
        self._pieces = pieces
        self._counter = Counter(evaluation, question, (pieces.prologue, pieces.dataset))
        self._words = words
        self._constants: dict[str, Term | None] = {}
        self._derivations = Derivations(snapshot.program)
        self._open_rules: list[str] = []

    def explain(self) -> tuple[tuple[Part, ...], tuple[Candidate, ...]]:
        """Return the parts, and one solution if there is any."""
        parts, scope = self._group(self._pieces.pieces, Scope(), "", 0)
        if self._pieces.tail:
            text = cut_short(self._words.text(self._pieces.tail))
            parts = (*parts, Part(str(len(parts) + 1), "tail", text))
        example = self._example(scope) if scope.count else ()
        return parts, example

    def _group(
        self, pieces: Sequence[Piece], scope: Scope, numbering: str, depth: int
    ) -> tuple[tuple[Part, ...], Scope]:
        parts: list[Part] = []
        ordered = order(pieces)
        for position, piece in enumerate(ordered[:MAX_PARTS], 1):
            number = f"{numbering}{position}"
            if scope.count == 0:
                parts.append(Part(number, piece.kind, self._shown(piece), None, 0))
                continue
            after = self._counter.counted(scope.plus(piece))
            part = self._part(number, piece, scope, after, depth)
            if part.stops and piece.kind == "filter":
                parts, part = _with_lost(parts, part)
            parts.append(part)
            scope = after
        rest = ordered[MAX_PARTS:]
        if rest:
            for piece in rest:
                scope = scope.plus(piece)
            before, scope = scope.count, self._counter.counted(scope)
            text = f"... and {len(rest)} more patterns"
            stops = scope.count == 0 and before != 0
            parts.append(Part(f"{numbering}{MAX_PARTS + 1}", "rest", text, scope.count, before, stops=stops))
        return tuple(parts), scope

    def _part(self, number: str, piece: Piece, before: Scope, after: Scope, depth: int) -> Part:
        stops = after.count == 0
        part = Part(
            number,
            piece.kind,
            self._shown(piece),
            after.count,
            before.count,
            is_bounded=after.is_bounded or before.is_bounded,
            stops=stops,
        )
        found: list[Candidate] = []
        if piece.kind in {"triple", "pattern"}:
            found = self._near_triples(piece, before) if stops else self._lost(piece, before, after)
        elif stops and piece.kind == "filter":
            found = self._near_values(piece, before)
        elif stops and piece.kind == "absent":
            found = self._present(piece, before)
        if stops and depth < MAX_DEPTH and piece.kind in {"union", "exists", "graph"}:
            part = replace(part, branches=self._branches(piece, before, number, depth))
        elif stops and depth < MAX_DEPTH and piece.terms:
            part = replace(part, branches=self._rules(piece, before, number, depth))
        return replace(part, nearest=tuple(found[:MAX_NEAREST]), more=max(0, len(found) - MAX_NEAREST))

    def _shown(self, piece: Piece) -> str:
        return cut_short(piece.shown or self._words.text(piece.text), LONGEST_TEXT)

    def _branches(self, piece: Piece, before: Scope, number: str, depth: int) -> tuple[tuple[Part, ...], ...]:
        lead = None if piece.kind == "exists" else piece.lead
        names = "abcdefghijklmnopqrstuvwxyz"
        return tuple(
            self._group(group, before.into(lead), f"{number}{names[i]}.", depth + 1)[0]
            for i, group in enumerate(piece.groups[: len(names)])
        )

    def _rules(self, piece: Piece, before: Scope, number: str, depth: int) -> tuple[tuple[Part, ...], ...]:
        """Return the rules that could have derived what a triple pattern asks for, with their bodies."""
        rules: list[Part] = []
        values = [self._value(text, {}) for text in piece.terms]
        for body in self._derivations.of(piece.terms, values):
            if body.rule in self._open_rules:
                continue
            self._open_rules.append(body.rule)
            self._words.with_nodes(self._derivations.names)
            below = f"{number}.{len(rules) + 1}"
            parts, _ = self._group(body.pieces, before.into(None), f"{below}.", depth + 1)
            untried = (
                Part(f"{below}.{len(parts) + i}", "untried", cut_short(text, LONGEST_TEXT))
                for i, text in enumerate(body.untried, 1)
            )
            rules.append(Part(below, "rule", body.rule, branches=((*parts, *untried),)))
            self._open_rules.pop()
        return (tuple(rules),) if rules else ()

    # ---- triple patterns ----

    def _near_triples(self, piece: Piece, before: Scope) -> list[Candidate]:
        if not piece.terms:
            return []
        tried = dict.fromkeys(
            self._tried(piece, row) for row in self._counter.rows(before, MOST_TRIED) or [{}]
        )
        return nearest(self._snapshot, list(tried))

    def _lost(self, piece: Piece, before: Scope, after: Scope) -> list[Candidate]:
        """Return things that fell out at this pattern because their documents could not be read."""
        if not piece.terms or before.count is None or after.count is None:
            return []
        subject = piece.terms[0].removeprefix("?")
        if subject not in {variable for one in before.pieces for variable in one.variables}:
            return []
        gone = self._counter.rows(before, MOST_TRIED, f"FILTER NOT EXISTS {{ {piece.code} }}")
        things = dict.fromkeys(_term(row.get(subject)) for row in gone)
        lost = (unknown_source(self._snapshot, thing) for thing in things if thing is not None)
        return [one for one in lost if one is not None]

    def _tried(self, piece: Piece, row: Row) -> Tried:
        return Tried(*(self._value(text, row) for text in piece.terms))

    def _value(self, text: str, row: Row) -> Term | None:
        if text[0] in "?$":
            return _term(row.get(text[1:]))
        if text not in self._constants:
            self._constants[text] = _term(self._counter.terms([text])[0])
        return self._constants[text]

    # ---- filters ----

    def _near_values(self, piece: Piece, before: Scope) -> list[Candidate]:
        """Return the values that a filter refused, those that missed by least first."""
        comparison = piece.comparison
        if comparison is None:
            rows = self._counter.rows(before, MOST_TRIED)
            return list(dict.fromkeys(self._refused(piece, row, before) for row in rows))
        extra = f"BIND(({comparison.left}) AS ?{_LEFT}) BIND(({comparison.right}) AS ?{_RIGHT})"
        rows = self._counter.rows(before, 5 * MOST_TRIED, extra)
        measured = [self._compared(piece, comparison, row, before) for row in rows]
        measured.sort(key=lambda one: (one[1], one[0].name, one[0].value))
        return list(dict.fromkeys(one for one, _ in measured))

    def _compared(
        self, piece: Piece, comparison: Comparison, row: Row, before: Scope
    ) -> tuple[Candidate, float]:
        left, right = _term(row.get(_LEFT)), _term(row.get(_RIGHT))
        sides = (left, comparison.operator, right)
        if "?" not in comparison.left and "?" in comparison.right:
            sides = (right, turned(comparison.operator), left)
        value, operator, wanted = sides
        shown = self._of_row(piece, row, before)
        if value is None or wanted is None:
            text = comparison.left if left is None else comparison.right
            remark = "has no value" if text.startswith("?") and " " not in text else "can't be computed"
            return replace(shown, remark=f"{self._words.text(text)} {remark}"), float("inf")
        remark, distance = miss(value, operator, wanted)
        with_type = remark.startswith("can't be compared")
        return replace(shown, value=value_text(value, with_type=with_type), remark=remark), distance

    def _refused(self, piece: Piece, row: Row, before: Scope) -> Candidate:
        values = [
            f"?{name} = {value_text(term)}"
            for name in sorted(piece.variables)
            if (term := _term(row.get(name))) is not None
        ]
        shown = self._of_row(piece, row, before)
        text = ", ".join(values) or "no value"
        return replace(shown, value=cut_short(text, 100), remark="is refused")

    def _of_row(self, piece: Piece, row: Row, before: Scope) -> Candidate:
        """Return whose value a filter is about: the subject of the pattern that gives it."""
        for one in self._flat(before.pieces):
            if len(one.terms) == 3 and one.terms[2].startswith("?") and one.terms[2][1:] in piece.variables:
                subject, predicate, object_ = (self._value(text, row) for text in one.terms)
                if subject is not None and predicate is not None and object_ is not None:
                    return candidate(self._snapshot, Triple(subject, predicate, object_), "")
        named = [
            term for name, value in sorted(row.items()) if isinstance(term := _term(value), IRI) and name
        ]
        return Candidate(entity_name(named[0]) if named else "", "—")

    def _flat(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        for piece in pieces:
            yield piece
            for group in piece.groups:
                yield from self._flat(group)

    # ---- what should be absent, and what is there ----

    def _present(self, piece: Piece, before: Scope) -> list[Candidate]:
        if not piece.groups:
            return []
        scope = before.into(None)
        for one in order(piece.groups[0]):
            scope = scope.plus(one)
        rows = self._counter.rows(scope, MOST_TRIED)
        plain = [one for one in self._flat(piece.groups[0]) if one.terms]
        found = (self._triples(plain[-1:], row, "is there, and should not be") for row in rows)
        return list(dict.fromkeys(one for each in found for one in each))

    def _example(self, scope: Scope) -> tuple[Candidate, ...]:
        rows = self._counter.rows(scope, 1)
        plain = [one for one in self._flat(self._pieces.pieces) if one.terms]
        return tuple(dict.fromkeys(self._triples(plain, rows[0], "")))[:MAX_NEAREST] if rows else ()

    def _triples(self, pieces: Iterable[Piece], row: Row, remark: str) -> list[Candidate]:
        """Return what the solution ``row`` makes of triple patterns, as far as memory has it."""
        found: list[Candidate] = []
        for piece in pieces:
            tried = self._tried(piece, row)
            for triple in self._snapshot.asked.match(tried.subject, tried.predicate, tried.object):
                found.append(candidate(self._snapshot, triple, remark))
                break
        return found


def _with_lost(parts: Sequence[Part], part: Part) -> tuple[list[Part], Part]:
    """Return ``parts`` without what they lost to sources that failed, and ``part`` with it: there it is missed."""
    lost = [one for each in parts for one in each.nearest]
    found = [*part.nearest[: max(1, MAX_NEAREST - len(lost))], *lost][:MAX_NEAREST]
    more = part.more + len(part.nearest) + len(lost) - len(found)
    return [replace(each, nearest=()) for each in parts], replace(part, nearest=tuple(found), more=more)


def _term(value: ox.NamedNode | ox.BlankNode | ox.Literal | None) -> Term | None:
    """Return a value of a solution as ours; None for a blank node, whose name is another one there."""
    if value is None or isinstance(value, ox.BlankNode):
        return None
    try:
        return from_ox(value, "", {})
    except ValueError:
        return None
