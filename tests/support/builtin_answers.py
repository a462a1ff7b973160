"""A builtin in a rule, and what the rule makes of it."""

from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.rdf.terms import Term
from agent.reason.fixpoint import Reasoner

INSTANT = "2026-01-02T03:04:05.678Z"
STRICT = Context(INSTANT)
CWM = Context(INSTANT, "cwm")

PREFIXES = """
@prefix : <http://e.example/#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> .
@prefix string: <http://www.w3.org/2000/10/swap/string#> .
@prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix list: <http://www.w3.org/2000/10/swap/list#> .
@prefix time: <http://www.w3.org/2000/10/swap/time#> .
@prefix crypto: <http://www.w3.org/2000/10/swap/crypto#> .
@prefix ag: <https://w3id.org/milepost/agent#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def answers(body: str, context: Context = STRICT) -> set[Term]:
    """Return what ``?a`` can be when ``body`` holds; the text ``yes`` where it does not occur."""
    head = "?a" if "?a" in body else ":yes"
    text = f":it :is :there . {{ :it :is :there . {body} }} => {{ :it :answer {head} }} ."
    program = read_program(PREFIXES + text, source="case.n3", base="http://e.example/")
    reasoner = Reasoner(program, context)
    answer = read_program(PREFIXES + ":it :answer :x .", source="case.n3", base="http://e.example/").facts[0]
    return set(reasoner.facts.objects(answer.subject, answer.predicate))


def terms(text: str) -> set[Term]:
    """Return the terms that ``text`` lists, separated by commas."""
    if not text:
        return set()
    program = read_program(f"{PREFIXES} :it :is {text} .", source="case.n3", base="http://e.example/")
    return {triple.object for triple in program.facts}
