"""What is known by heart of a text that is like others, but for digits, is what reading it comes to."""

import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_server.documents import Gap, read_document
from ldp_server.known_documents import KnownDocuments
from ldp_server.patching.edits import Update
from ldp_server.patching.known_patches import KnownPatches
from ldp_server.patching.languages import read_patch
from ldp_server.settings import Settings
from ldp_server.syntaxes import N_TRIPLES, TURTLE, Syntax
from tests.support.depth import depth

BASE = "http://127.0.0.1:7070"
LIMITS = Settings()
LABEL = re.compile(r"_:\w+")
NAMES = ["a", "a1", "b-2", "n.5", "%41", "..."]
FOLDERS = ["/", "/f1/"]
DIGITS = st.sampled_from(["0", "1", "2", "3", "01", "12", "2001", "1999", "00", "123456789"])
SUBJECTS = [
    "<#it>",
    "<>",
    "<s#>",
    "<../x#>",
    "p#:a",
    "p#:#",
    "_:b#",
    "[]",
    "<http://h:#/>",
    "<http://127.0.0.1:7070/f1/a#>",
]
PREDICATES = ["<#p>", "a", "p#:p", "q:p#", "<http://h/p#>", "<http://www.w3.org/#/XMLSchema#string>"]
OBJECTS = [
    "#", "#.#", "-#", "+#.#e#", "#e-#", ".#", "#.", "'#'", '"a#b"', '"#"@en', '"#"@en-#', '"x"@en-x#', '"#-#T#:#"^^q:dateTime', '"x"^^<http://www.w3.org/#/XMLSchema#string>',
    '"x"^^q:string', '"#"^^<http://www.w3.org/#/XMLSchema#string>', '"""#\n"#"""', "'''#'#'''", '"\\u#41"', '"\\u00#"', '"\\u#"', '"\\t#"', '"\\#"', '"\\"#"', '"\u00e9#\u0663"', "[ <#q> # ]",
    "( # # )", "_:b#", "<x#>", "p#:o", "q:#", "q:%#", "<%#>", "#, #", "true, #", '"<#>"', '"> # <"', "# # a comment with #\n", "<<( <a> <b> # )>>", "<http://h/#x> # #\n",
]  # fmt: skip
HEADS = [
    "",
    "",
    "@prefix p#: <http://p#/> .\n",
    "@prefix p#: <#> .\n@prefix p#: <x> .\n",
    "@base <b#/> .\n",
    "# #\n",
    "\ufeff",
]
SAID = "@prefix q: <http://www.w3.org/2001/XMLSchema#> .\n"
N3 = """@prefix solid: <http://www.w3.org/ns/solid/terms#> .
@prefix q: <http://www.w3.org/2001/XMLSchema#> .
{head}_:r a solid:InsertDeletePatch ; solid:where {{ {where} }} ; solid:deletes {{ {deletes} }} ; solid:inserts {{ {inserts} }} .
"""
SPARQL = [
    "DELETE {{ {deletes} }} INSERT {{ {inserts} }} WHERE {{ {where} }}",
    "INSERT DATA {{ {inserts} }} ; DELETE DATA {{ {deletes} }}",
    "DELETE WHERE {{ {where} }}",
    "DELETE {{ {deletes} }} INSERT {{ {inserts} }} WHERE {{ {where} FILTER(?o > #) }}",
]


def triples(subjects: Sequence[str], least: int = 0) -> st.SearchStrategy[str]:
    one = st.tuples(st.sampled_from(subjects), st.sampled_from(PREDICATES), st.sampled_from(OBJECTS))
    return st.lists(one.map(" ".join), min_size=least, max_size=4).map(
        lambda said: "".join(f"{triple} .\n" for triple in said)
    )


@st.composite
def documents(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(HEADS)) + SAID + draw(triples(SUBJECTS))


@st.composite
def patches(draw: st.DrawFn) -> tuple[str, str]:
    subjects = ["?s", "?s#", "<#it>", "<>", "<s#>", "?it"]
    sides = {side: draw(triples(subjects)) for side in ("where", "deletes", "inserts")}
    if draw(st.booleans()):
        return "text/n3", N3.format(head=draw(st.sampled_from(HEADS[:-1])), **sides)
    return "application/sparql-update", SPARQL[draw(st.integers(0, 3))].format(**sides).replace("q:", "p:")


@st.composite
def filled(draw: st.DrawFn, text: str) -> list[bytes]:
    """Draw texts that are alike: with other digits in the place of each number sign that is none of an IRI."""
    plain = text.replace("XMLSchema#", "XMLSchema\0").replace("<#", "<\0").replace("terms#", "terms\0")
    parts = plain.split("#")
    changing = draw(st.sets(st.integers(0, max(0, len(parts) - 2)), max_size=3))
    first = draw(st.lists(DIGITS, min_size=len(parts), max_size=len(parts)))
    made = []
    for _ in range(6):
        digits = [draw(DIGITS) if place in changing else digit for place, digit in enumerate(first)]
        made.append(
            "".join(f"{part}{digit}" for part, digit in zip(parts[:-1], digits, strict=False)) + parts[-1]
        )
    return [each.replace("\0", "#").encode() for each in made]


@given(st.data(), documents(), st.sampled_from([TURTLE, TURTLE, N_TRIPLES]), st.booleans())
@settings(max_examples=depth(200, 5_000), deadline=None)
def test_known_documents_are_what_is_read(
    data: st.DataObject, text: str, syntax: Syntax, is_posted: bool
) -> None:
    known, folder = KnownDocuments(LIMITS), data.draw(st.sampled_from(FOLDERS))
    for body in data.draw(filled(text)):
        gap = Gap() if is_posted else None
        uri = f"{BASE}{folder}{gap.text if gap else data.draw(st.sampled_from(NAMES))}"
        draft = known.draft_in(BASE + folder, body, syntax) if gap else known.draft(body, syntax, uri)
        if draft is not None:
            assert draft == read_document(body, syntax, uri, LIMITS, gap)


@given(st.data(), patches())
@settings(max_examples=depth(200, 5_000), deadline=None)
def test_known_patches_are_what_is_read(data: st.DataObject, patch: tuple[str, str]) -> None:
    language, text = patch
    known, folder = KnownPatches(LIMITS), data.draw(st.sampled_from(FOLDERS))
    for body in data.draw(filled(text)):
        uri = f"{BASE}{folder}{data.draw(st.sampled_from(NAMES))}"
        update = known.update(language, body, uri)
        if update is not None:
            assert told(update) == told(read_patch(language, body, uri, LIMITS))


def told(update: Update) -> str:
    """Return the edits as a text, with blank nodes by their order, because a parser chooses their labels by chance."""
    numbers: dict[str, int] = {}
    return LABEL.sub(lambda label: f"_:{numbers.setdefault(label[0], len(numbers))}", repr(update.edits))
