"""Which texts are known by heart because they are like others, and when they have to be read."""

import pytest

from ldp_server.documents import Draft
from ldp_server.known_documents import KnownDocuments
from ldp_server.patching.edits import Edit
from ldp_server.patching.known_patches import KnownPatches
from ldp_server.settings import Settings
from ldp_server.syntaxes import JSON_LD, TURTLE

URI = "http://127.0.0.1:7070/a/"
XSD = "<http://www.w3.org/2001/XMLSchema#{}>"
SENT = '@prefix x: <http://www.w3.org/2001/XMLSchema#> . <#it> <http://v/p> {} ; <http://v/at> "2026-01-01T10:{}"^^x:time .'


def sent(value: str, minute: str) -> bytes:
    return SENT.format(value, minute).encode()


def stored(name: str, value: str, kind: str, minute: str) -> Draft:
    it = f"<{URI}{name}#it>"
    lines = [
        f'{it} <http://v/p> "{value}"^^{XSD.format(kind)} .\n',
        f'{it} <http://v/at> "2026-01-01T10:{minute}"^^{XSD.format("time")} .\n',
    ]
    return Draft(("".join(lines).encode(),))


def told(
    bodies: list[bytes], known: KnownDocuments | None = None, names: str = "nnnnnnnnnnnnnnnnnnn"
) -> list[Draft | None]:
    known = known or KnownDocuments(Settings())
    return [known.draft(body, TURTLE, URI + name) for body, name in zip(bodies, names, strict=False)]


def test_the_third_of_texts_that_differ_in_digits_is_known() -> None:
    bodies = [sent("1", "00"), sent("2", "00"), sent("30", "00"), sent("4", "00")]
    assert told(bodies) == [None, None, stored("n", "30", "integer", "00"), stored("n", "4", "integer", "00")]


def test_it_is_known_for_other_documents_of_the_same_folder() -> None:
    assert told([sent("1", "00")] * 4, names="abcd")[3] == stored("d", "1", "integer", "00")
    known = KnownDocuments(Settings())
    told([sent("1", "00")] * 4, known)
    assert known.draft(sent("1", "00"), TURTLE, "http://127.0.0.1:7070/b/n") is None


def test_digits_that_change_later_are_learnt_then() -> None:
    bodies = [*[sent("1", "00")] * 3, sent("1", "07"), sent("5", "08")]
    assert told(bodies)[3:] == [stored("n", "1", "integer", "07"), stored("n", "5", "integer", "08")]


def test_another_kind_of_number_is_another_text() -> None:
    bodies = [*[sent("1", "00")] * 3, *[sent("1.5", "00")] * 3]
    assert told(bodies)[3:] == [None, None, stored("n", "1.5", "decimal", "00")]


def test_the_name_of_a_member_to_be_is_left_open() -> None:
    known = KnownDocuments(Settings())
    drafts = [known.draft_in(URI, b"<> <http://v/p> 1 .", TURTLE) for _ in range(3)]
    assert drafts[2] == Draft(
        (f"<{URI}".encode(), f'> <http://v/p> "1"^^{XSD.format("integer")} .\n'.encode())
    )


@pytest.mark.parametrize(
    "text",
    [
        "<#it{}> <http://v/p> 1 .",
        "@prefix p{0}: <http://v/> . <#it> p{0}:p 1 .",
        "@prefix p2: <http://v/2#> . @prefix p{}: <http://v/1#> . <#it> p2:p 1 .",
        "<#it> <http://v/p> _:b{} .",
        '<#it> <http://v/p> "\\u004{}" .',
        '<#it> <http://v/p> "x"@en-x{} .',
        '<#it> <http://v/p> "x"^^<http://www.w3.org/200{}/XMLSchema#string> .',
        "<#it> <http://v/p> 1 . # {}",
    ],
)  # fmt: skip
def test_what_changes_outside_of_literals_is_read(text: str) -> None:
    assert told([text.format(number).encode() for number in (1, 3, 4, 2, 1, 1)]) == [None] * 6


def test_statements_that_become_the_same_are_read() -> None:
    bodies = [f"<#it> <http://v/p> {number}, 7 .".encode() for number in (1, 2, 3, 7)]
    assert [draft is None for draft in told(bodies)] == [True, True, False, True]


def test_who_changes_one_digit_after_the_other_is_not_followed_for_ever() -> None:
    said = [[int(place < changed) for place in range(12)] for changed in (0, 0, *range(12))]
    bodies = [
        b"<#it> <http://v/p> "
        + ", ".join(f"'{'abcdefghijkl'[place]}{digit}'" for place, digit in enumerate(digits)).encode()
        + b" ."
        for digits in said
    ]
    assert [draft is None for draft in told(bodies)] == [True, True, *[False] * 8, *[True] * 4]


@pytest.mark.parametrize(
    "limits", [Settings(max_literal=100), Settings(max_stored=1000), Settings(max_iri=100)]
)
def test_where_a_limit_could_be_met_all_is_read(limits: Settings) -> None:
    assert told([sent("1", "00")] * 4, KnownDocuments(limits)) == [None] * 4


def test_only_short_texts_of_turtle_about_plain_names_are_known() -> None:
    known = KnownDocuments(Settings())
    assert [known.draft(b'{"@id": "#it"}', JSON_LD, URI + "n") for _ in range(4)] == [None] * 4
    for uri in (URI, URI + "%C3%A9", URI + "..", "http://www.w3.org/2001/XMLSchema"):
        assert [known.draft(sent("1", "00"), TURTLE, uri) for _ in range(4)] == [None] * 4
    assert told([sent("1", "00") + b" " * 2048] * 4) == [None] * 4


def test_a_patch_is_known_with_its_new_value() -> None:
    known = KnownPatches(Settings())
    text = "DELETE {{ ?it <http://v/p> ?old }} INSERT {{ ?it <http://v/p> {} }} WHERE {{ ?it <http://v/p> ?old }}"
    updates = [
        known.update("application/sparql-update", text.format(n).encode(), URI + "n") for n in (1, 2, 3)
    ]
    old = (("?it", "<http://v/p>", "?old"),)
    new = (("?it", "<http://v/p>", f'"3"^^{XSD.format("integer")}'),)
    assert updates[:2] == [None, None]
    assert updates[2] is not None
    assert updates[2].edits == (Edit(old, old, new),)


def test_a_patch_that_is_refused_or_needs_an_engine_is_read() -> None:
    known = KnownPatches(Settings())
    for text in (b"CLEAR ALL", b"DELETE WHERE { ?s ?p ?o FILTER(?o > 1) }", b"INSERT DATA { ?x <p> 1 }"):
        updates = [known.update("application/sparql-update", text, URI + "n") for _ in range(4)]
        assert updates == [None] * 4
