"""The forms of an explanation: bounded, printable, and the same whatever comes in."""

import json

import rdflib
from msgspec.structs import replace

from agent.errors import printable
from agent.gsm.why.json_form import to_json
from agent.gsm.why.text import to_text
from agent.gsm.why.triples import to_rdf
from tests.support.depth import depth
from tests.support.why import STAGES, THIS, explained, world


def test_an_overview_has_every_stage_and_milestone_in_a_line() -> None:
    here = world("e:x e:level 9 .", steps=2)

    lines = to_text(explained(here)).splitlines()

    assert lines[:6] == [
        f"Instance {THIS} is running, with an active stage.".ljust(78) + " read 07:08:09Z",
        " active      stage       r",
        " inactive    stage       bare",
        " active      stage       s      ● g, ○ m achieving sentry",
        " unachieved    milestone m      ○ achieving sentry",
        " inactive    stage       inner  ● h",
    ]


def test_an_overview_mentions_no_invalidating_sentry_where_there_is_none() -> None:
    one_way = STAGES.replace("; gsm:hasInvalidatingSentry <#undone>", "")
    lines = {}
    for model in (STAGES, one_way):
        here = world("e:x e:level 9 ; e:is 'done' .", model, steps=3)
        lines[model] = next(line for line in to_text(explained(here)).splitlines() if "milestone m" in line)

    assert lines == {
        STAGES: " achieved      milestone m      ○ invalidating sentry",
        one_way: " achieved      milestone m",
    }


def test_forms_of_hostile_labels_and_values_stay_whole_short_and_printable() -> None:
    evil = "\\u001b[2J\\u202e" + "x" * 3000
    here = world(
        f'e:x e:level "{evil}" .', STAGES + f'<#s> <http://www.w3.org/2000/01/rdf-schema#label> "{evil}" .'
    )

    told = explained(here, "s")

    text = to_text(told)
    assert printable(text) == text
    wide = to_text(replace(explained(here), instance="http://w/" + "x" * 500))
    assert max(map(len, (text + wide).splitlines())) == 240
    assert json.loads(to_json(told))["elements"][0]["name"] == "s"
    assert len(rdflib.Graph().parse(data=to_rdf(told), format="turtle")) > 50


def test_an_enormous_memory_is_explained_within_the_same_bounds() -> None:
    readings = " ".join(
        f"<http://e/r{number}> <http://e/level> {number % 5} ." for number in range(depth(11_000, 200_000))
    )
    model = STAGES.replace("<http://e/x> <http://e/level> ?l", "?r <http://e/level> ?l")

    told = explained(world(readings, model), "g")

    parts = told.elements[0].checks[0].sentries[0].asked[0].parts
    assert [(part.matches, part.is_bounded, len(part.nearest)) for part in parts] == [
        (10_000, True, 0),
        (0, True, 12),
    ]
    assert len(to_text(told).splitlines()) < 40
