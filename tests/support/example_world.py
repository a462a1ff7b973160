"""An example of ``rules/examples`` in the fake world, put up from its files alone.

Models and other documents are served beside each other and below the name of the example, instances in a status
container. A model of which no file is an instance gets one.
"""

from pathlib import Path
from typing import NamedTuple

from agent.gsm.ruleset import workflow_program
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.documents import parse_document
from agent.rdf.terms import IRI, RDF_TYPE, Term, Triple
from agent.runtime.plan import StepPlan
from agent.vocab import GSM
from tests.support.documents import CHECKOUT
from tests.support.world import TURTLE, FakeWorld

FOLDER = CHECKOUT / "rules" / "examples"
EXAMPLES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
_INSTANCE, _STAGE, _MODEL = (IRI(GSM + name) for name in ("ArtifactInstance", "Stage", "isInstanceOf"))
_CHILDREN = frozenset(IRI(GSM + name) for name in ("hasChildStage", "hasDescendantStage"))

_RUN = (
    "<#it> a <{gsm}ArtifactInstance> ; <{gsm}isInstanceOf> <{root}> ; <{gsm}hasState> <{gsm}uninitialized> ."
)


class Example(NamedTuple):
    """The world of an example, its program, and its instances."""

    world: FakeWorld
    program: Program
    container: str
    instances: tuple[str, ...]

    def plan(self, *, of_container: bool) -> StepPlan:
        """Return the plan of a run on the container, or on each instance."""
        mine = dict.fromkeys(() if of_container else self.instances, self.container)
        lifecycle, workflows = workflow_program(mine, [self.container] if of_container else [])
        return StepPlan(self.program + lifecycle, workflows=workflows)


def put_up(name: str) -> Example:
    """Return the example ``name`` in a world of its own."""
    base = f"http://{name}.example/"
    container = f"{base}status/"
    pages: dict[str, str] = {}
    runs: list[str] = []
    roots, started = set[str](), set[str]()
    for path in sorted((FOLDER / name).glob("*.ttl")):
        text = path.read_text(encoding="utf-8")
        as_run = _said(text, f"{container}run")
        if any(triple.object == _INSTANCE for triple in as_run):
            runs.append(text)
            started |= {_local(triple.object) for triple in as_run if triple.predicate == _MODEL}
        else:
            pages |= {base + path.stem: text, f"{base}{name}/{path.stem}": text}
            roots |= _roots(_said(text, base + path.stem))
    runs += [_RUN.format(root=base + root, gsm=GSM) for root in sorted(roots - started)]
    documents = {f"{container}run-{number}": text for number, text in enumerate(runs, start=1)}
    rules = sorted((FOLDER / name).glob("*.n3"))
    program = sum((_rules(path, f"{base}{path.name}") for path in rules), Program())
    world = FakeWorld(pages | documents, containers=(container,))
    return Example(world, program, container, tuple(f"{uri}#it" for uri in documents))


def _rules(path: Path, base: str) -> Program:
    return read_program(path.read_text(encoding="utf-8"), source=path.name, base=base)


def _said(text: str, uri: str) -> tuple[Triple, ...]:
    return parse_document(text.encode(), TURTLE, uri, strict=True).triples


def _roots(triples: tuple[Triple, ...]) -> set[str]:
    """Return the local names of the stages of a model that are in no other."""
    inner = {triple.object for triple in triples if triple.predicate in _CHILDREN}
    stages = {
        triple.subject for triple in triples if triple.predicate == RDF_TYPE and triple.object == _STAGE
    }
    return {_local(stage) for stage in stages - inner}


def _local(term: Term) -> str:
    """Return the last segment of an IRI, with its fragment."""
    assert isinstance(term, IRI)
    return term.value.rpartition("/")[2]
