"""What URIs given to a run are: instances with their containers, or containers."""

from collections.abc import Mapping

import pytest

from agent.errors import MilepostError, UsageError, WorldError
from agent.rdf.documents import Content, Failed, Gone, Outcome, parse_document
from agent.runtime.targets import Read, Targets, find_targets

WF = "http://h/runs/wf"
INSTANCE = "<#it> a <http://purl.org/gsm/vocab#ArtifactInstance> ."
LISTING = "<> a <http://www.w3.org/ns/ldp#BasicContainer> ; <http://www.w3.org/ns/ldp#contains> <wf> ."


def reader(documents: Mapping[str, str | Outcome]) -> Read:
    """Return what reads ``documents`` (Turtle, or an outcome) and takes all others for gone."""

    async def read(uri: str) -> Outcome:
        document = documents.get(uri, Gone(uri, 404))
        if not isinstance(document, str):
            return document
        triples = parse_document(document.encode(), "text/turtle", uri, strict=True).triples
        return Content(uri, uri, triples, "", "")

    return read


async def test_the_nearest_container_that_lists_an_instance_keeps_its_elements() -> None:
    read = reader({WF: INSTANCE, "http://h/runs/": LISTING, "http://h/": LISTING})

    assert await find_targets([f"{WF}#it"], read) == Targets({f"{WF}#it": "http://h/runs/"}, ())


async def test_a_folder_that_does_not_list_the_instance_is_passed_over() -> None:
    read = reader(
        {WF: INSTANCE, "http://h/runs/": "<> a <#Folder> .", "http://h/": LISTING.replace("wf", "runs/wf")}
    )

    assert await find_targets([f"{WF}#it"], read) == Targets({f"{WF}#it": "http://h/"}, ())


async def test_what_the_instance_says_itself_comes_first() -> None:
    own = INSTANCE.replace(" .", " ; <https://w3id.org/milepost/agent#container> </own/> .")
    read = reader({WF: own, "http://h/runs/": LISTING})

    assert await find_targets([f"{WF}#it"], read, "http://h/named/") == Targets(
        {f"{WF}#it": "http://h/own/"}, ()
    )


@pytest.mark.parametrize("named", ["http://h/named", "http://h/named/"])
async def test_the_container_that_the_user_names_comes_last(named: str) -> None:
    read = reader({WF: INSTANCE})

    assert await find_targets([f"{WF}#it"], read, named) == Targets({f"{WF}#it": "http://h/named/"}, ())


async def test_a_container_stands_for_all_that_is_in_it() -> None:
    read = reader({"http://h/runs/": LISTING, WF: INSTANCE, "http://h/": "<> a <#Folder> ."})

    assert await find_targets(["http://h/runs/"], read) == Targets({}, ("http://h/runs/",))


@pytest.mark.parametrize(
    ("uri", "documents", "error", "code", "text"),
    [
        (f"{WF}#it", {WF: INSTANCE}, WorldError, "NET003", f"no container lists {WF}"),
        (f"{WF}#it", {}, WorldError, "NET002", f"{WF} cannot be read: the server answered 404"),
        (f"{WF}#it", {WF: Failed(WF, "refused")}, WorldError, "NET001", f"{WF} cannot be read: refused"),
        (WF, {WF: INSTANCE}, UsageError, "USE005", f"did you mean {WF}#it?"),
        (f"{WF}#she", {WF: INSTANCE}, UsageError, "USE005", f"did you mean {WF}#it?"),
        (
            "http://h/runs",
            {"http://h/runs": LISTING},
            UsageError,
            "USE005",
            "that of a container ends in a slash",
        ),
        (
            f"{WF}#it",
            {WF: "<#it> a <#Lamp> ."},
            UsageError,
            "USE005",
            "neither a workflow instance nor a container",
        ),
    ],
)
async def test_what_cannot_be_run_is_refused_with_a_hint(
    uri: str, documents: Mapping[str, str | Outcome], error: type[MilepostError], code: str, text: str
) -> None:
    with pytest.raises(error) as raised:
        await find_targets([uri], reader(documents))

    assert raised.value.code == code
    assert text in str(raised.value)
