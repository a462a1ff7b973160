"""Request rules: from the head of a rule to the requests it asks for (ASM4LD, paper section 3.6).

A node with ``http:mthd`` or ``ag:likeRequest`` at the top level of a head is a request; anything said about it
outside the HTTP vocabulary is an annotation. In bodies and payloads the same words are plain data.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from agent.errors import Place, did_you_mean
from agent.n3.problems import Problems
from agent.n3.program import Pattern, RequestTemplate
from agent.n3.write import show
from agent.rdf.terms import IRI, RDF_TYPE, BlankNode, Formula, ListTerm, Literal, Term, Variable
from agent.vocab import AG, HTTP, METHODS

MTHD = IRI(HTTP + "mthd")
REQUEST_URI = IRI(HTTP + "requestURI")
BODY = IRI(HTTP + "body")
HEADERS = IRI(HTTP + "headers")
FIELD_NAME = IRI(HTTP + "fieldName")
FIELD_VALUE = IRI(HTTP + "fieldValue")
LIKE_REQUEST = IRI(AG + "likeRequest")
_SINGLE: dict[Term, str] = {MTHD: "method", REQUEST_URI: "URI", BODY: "body", LIKE_REQUEST: "model request"}
_NAMES = {
    MTHD: "http:mthd",
    REQUEST_URI: "http:requestURI",
    BODY: "http:body",
    LIKE_REQUEST: "ag:likeRequest",
}
_KNOWN_METHODS = ("GET", "PUT", "POST", "DELETE", "PATCH")
_WITHOUT_BODY = frozenset({METHODS + "GET", METHODS + "DELETE"})
_HTTP_CLASSES = frozenset({IRI(HTTP + "Request"), IRI(HTTP + "RequestHeader"), IRI(HTTP + "MessageHeader")})


def asks_for_request(head: Sequence[Pattern]) -> bool:
    """Say whether a head with these triples asks for a request."""
    return any(pattern.triple.predicate in {MTHD, LIKE_REQUEST} for pattern in head)


def read_requests(
    head: Sequence[Pattern], prefixes: Mapping[str, str], problems: Problems
) -> tuple[RequestTemplate, ...]:
    """Return the requests that ``head`` asks for, in the order of their nodes; faults go to ``problems``."""
    about: dict[Term, list[Pattern]] = {}
    for pattern in head:
        about.setdefault(pattern.triple.subject, []).append(pattern)
    nodes = {node: said for node, said in about.items() if asks_for_request(said)}
    reader = _Reader(about, prefixes, problems)
    templates = tuple(template for node in nodes if (template := reader.template(node)) is not None)
    for node in about:
        if node not in nodes and node not in reader.header_nodes:
            place = about[node][0].place
            message = f"expected only statements about the request in its head, got one about {show(node, prefixes)}"
            problems.error("ASM011", message, place, "put what is to be derived into a rule of its own")
    return templates


class _Reader(Struct):
    """Reads the requests of one head; ``header_nodes`` are the nodes that turned out to be header fields."""

    about: dict[Term, list[Pattern]]
    prefixes: Mapping[str, str]
    problems: Problems
    header_nodes: set[Term] = field(default_factory=set)

    def template(self, node: Term) -> RequestTemplate | None:
        """Return the request that ``node`` is, or nothing if it is faulty."""
        said = self.about[node]
        single: dict[Term, Pattern] = {}
        annotations: list[tuple[Term, Term]] = []
        for pattern in said:
            _, predicate, value = pattern.triple
            if predicate in _SINGLE:
                self._take(single, predicate, pattern)
            elif not (predicate in {HEADERS, FIELD_NAME, FIELD_VALUE} or _is_http_class(predicate, value)):
                annotations.append((predicate, value))
        first = single.get(MTHD) or single[LIKE_REQUEST]
        if not self._fits(single, first.place):
            return None
        return RequestTemplate(
            node=node,
            method=_value(single, MTHD),
            uri=_value(single, REQUEST_URI),
            body=_value(single, BODY),
            headers=tuple(self._headers(said)),
            annotations=tuple(annotations),
            like=_value(single, LIKE_REQUEST),
            place=first.place,
        )

    def _take(self, single: dict[Term, Pattern], predicate: Term, pattern: Pattern) -> None:
        known = single.setdefault(predicate, pattern)
        if known.triple != pattern.triple:
            kind, value = _SINGLE[predicate], show(pattern.triple.object, self.prefixes)
            message = f"expected one {kind} for this request, got a second one: {value}"
            hint = (
                f"the first is at {known.place}; each request has a node of its own: use [] or another label"
            )
            self.problems.error("ASM012", message, pattern.place, hint)

    def _fits(self, single: dict[Term, Pattern], place: Place) -> bool:
        """Check the parts of one request against each other."""
        if LIKE_REQUEST in single:
            extra = [predicate for predicate in (MTHD, REQUEST_URI, BODY) if predicate in single]
            for predicate in extra:
                message = f"unexpected {_NAMES[predicate]} beside ag:likeRequest, which brings its own"
                self.problems.error("ASM013", message, single[predicate].place, "leave one of the two out")
            return not extra
        method = single[MTHD]
        fits = self._is_method(method.triple.object, method.place)
        if REQUEST_URI not in single:
            self.problems.error(
                "ASM010", "expected http:requestURI on this request, got none", place, "say where it goes to"
            )
            return False
        uri = single[REQUEST_URI]
        if not isinstance(uri.triple.object, IRI | Variable):
            message = f"expected an IRI or a variable as http:requestURI, got {show(uri.triple.object, self.prefixes)}"
            self.problems.error("ASM010", message, uri.place, "an IRI stands between < and >, not in quotes")
            fits = False
        body = single.get(BODY)
        return fits and (body is None or self._may_have_body(method.triple.object, body))

    def _is_method(self, method: Term, place: Place) -> bool:
        if isinstance(method, Variable):
            return True
        iri = method.value if isinstance(method, IRI) else ""
        name = iri.removeprefix(METHODS)
        if iri.startswith(METHODS) and name in _KNOWN_METHODS:
            return True
        message = f"expected GET, PUT, POST, DELETE or PATCH as method, got {show(method, self.prefixes)}"
        guess = did_you_mean(name[-20:], _KNOWN_METHODS)
        self.problems.error("ASM014", message, place, guess or f"methods are IRIs such as <{METHODS}GET>")
        return False

    def _may_have_body(self, method: Term, body: Pattern) -> bool:
        if isinstance(method, IRI) and method.value in _WITHOUT_BODY:
            name = method.value.removeprefix(METHODS)
            self.problems.error(
                "ASM015",
                f"unexpected body on a {name} request",
                body.place,
                "only PUT, POST and PATCH carry one",
            )
            return False
        if isinstance(body.triple.object, Formula | Literal | Variable):
            return True
        message = f"expected a formula, a string or a variable as http:body, got {show(body.triple.object, self.prefixes)}"
        self.problems.error("ASM015", message, body.place)
        return False

    def _headers(self, said: Sequence[Pattern]) -> list[tuple[Term, Term]]:
        """Return the header fields written on the node itself and on the nodes that http:headers names."""
        fields = self._fields(said)
        for pattern in said:
            if pattern.triple.predicate == HEADERS:
                named = pattern.triple.object
                for node in named.items if isinstance(named, ListTerm) else (named,):
                    self.header_nodes.add(node)
                    about = self.about.get(node, []) if isinstance(node, BlankNode | IRI) else []
                    if not about:
                        self._bad_field(
                            "expected a header field with http:fieldName and http:fieldValue", pattern.place
                        )
                    fields += self._fields(about, whole=True)
        return fields

    def _fields(self, said: Sequence[Pattern], *, whole: bool = False) -> list[tuple[Term, Term]]:
        names = [pattern for pattern in said if pattern.triple.predicate == FIELD_NAME]
        values = [pattern for pattern in said if pattern.triple.predicate == FIELD_VALUE]
        if whole:
            for pattern in said:
                _, predicate, value = pattern.triple
                if predicate not in {FIELD_NAME, FIELD_VALUE} and not _is_http_class(predicate, value):
                    self._bad_field(
                        f"unexpected {show(predicate, self.prefixes)} on a header field", pattern.place
                    )
        if len(names) == len(values) == 1:
            return [(names[0].triple.object, values[0].triple.object)]
        if names or values:
            message = (
                f"expected one http:fieldName and one http:fieldValue, got {len(names)} and {len(values)}"
            )
            self._bad_field(message, (names or values)[-1].place)
        return []

    def _bad_field(self, message: str, place: Place) -> None:
        hint = 'several fields: http:headers ( [ http:fieldName "A" ; http:fieldValue "b" ] [ ... ] )'
        self.problems.error("ASM016", message, place, hint)


def _is_http_class(predicate: Term, value: Term) -> bool:
    return predicate == RDF_TYPE and value in _HTTP_CLASSES


def _value(single: Mapping[Term, Pattern], predicate: Term) -> Term | None:
    pattern = single.get(predicate)
    return pattern.triple.object if pattern else None
