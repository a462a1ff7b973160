"""Whatever stands in rules, the text that they are compiled to is made of integers and fixed words."""

import re

from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.errors import ProgramError
from agent.n3.load import read_program
from agent.n3.programs import write_program
from agent.reason.incremental.fragment import why_not_incremental
from agent.reason.incremental.listing import compiled_text, functions_of
from tests.support.depth import depth
from tests.support.random_worlds import draw_course

OURS = re.compile(
    r"""def|for|in|if|elif|else|is|not|and|or|continue|pass|return|True|False|None|len|list
    |f|[spqo]_|_|[dekrtuxycngw]|new|row|facts|room|hidden_room|left|over|common|cells|exact|is_field|document_of|names_of
    |packed|packed_if_known|unpacked|invented|invented_before|frontiers|get|add|update|items|setdefault
    |[SOETNM]|MOST_TRIES|PROTECTED
    |(?:[vcdhbm]|[SOMN]n?)\d+""",
    re.VERBOSE,
)
MEANT_ILL = "');__import__('os').system('x')#"
HOSTILE = f'rules\n"""{MEANT_ILL}.n3'


def foreign_tokens(text: str) -> set[str]:
    """Return what is in a text of Python but integers, fixed words, and signs: no quotes and comments are among them."""
    tokens = set(re.findall(r"\w+|[^\w ]", text)) - set("\n()[]{}:;,.=<>!+-*")
    return {token for token in tokens if not (OURS.fullmatch(token) or token.isdecimal())}


@settings(max_examples=depth(30, 3_000))
@given(st.integers(0, 2**48))
@example(1700)
def test_nothing_of_a_rule_stands_in_the_text_it_is_compiled_to(seed: int) -> None:
    written = write_program(replace(draw_course(seed).program, prefixes={}))
    hostile = (
        written.replace("http://w.example/", f"http://w.example/{MEANT_ILL}")
        .replace('"a"', '"\\"\\"\\"\\n' + MEANT_ILL + '\\n"')
        .replace("?x", "?__import__")
        .replace("?y", "?new")
    )
    try:
        program = read_program(hostile, source=HOSTILE, base=f"http://w.example/{MEANT_ILL}")
    except ProgramError as error:
        # Programs are drawn as values, among them requests to a number, which no text may ask for.
        if error.code != "ASM010":
            raise
        event("not to be written")
        return
    if why_not_incremental(program) is not None:
        event("not compiled")
        return
    for listed in functions_of(program):
        assert foreign_tokens(listed.text) == set(), listed.text


def test_the_listing_of_a_program_is_python_and_names_its_rules() -> None:
    program = read_program(
        "@prefix : <http://e/> . { ?x :p ?y } => { ?y :q ?x } .", source=HOSTILE, base="http://e/"
    )
    text = compiled_text(program)
    compile(text, "listing", "exec")
    assert text.splitlines()[0].endswith(": facts gained, or lost with w, in pattern 0")
    assert text.count("def f") == 6
