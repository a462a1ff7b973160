"""Running all checks on one server: the resources they work on, and a verdict for each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from tests.conformance.ldp import any_resource, binaries, containers, rdf_sources
from tests.conformance.ldp.checks import (
    EVERY_KIND,
    Check,
    Kind,
    LeftOutError,
    NotMetError,
    Parameters,
    Subject,
)
from tests.conformance.ldp.client import LDP, send

Word = Literal["pass", "fail", "skip", "on purpose"]
WORDS: tuple[Word, ...] = get_args(Word)
CHECKS = (*any_resource.CHECKS, *rdf_sources.CHECKS, *containers.CHECKS, *binaries.CHECKS)
_BODY = f'<> a <http://example.com/ns#Task> ; <{rdf_sources.TITLE}> "The subject of all checks" .'


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one check ended on one kind of resource."""

    check: Check
    kind: Kind
    word: Word
    reason: str = ""


def judge(root: str, parameters: Parameters) -> Iterator[Verdict]:
    """Yield a verdict for each check and kind of resource, on resources that are made below the container ``root``."""
    for kind in EVERY_KIND:
        checks = [check for check in CHECKS if kind in check.kinds]
        try:
            subject = _subject(kind, root, parameters)
        except (NotMetError, OSError) as error:
            yield from (Verdict(check, kind, "fail", f"no {kind} to work on: {error}") for check in checks)
            continue
        yield from (verdict_on(check, subject) for check in checks)


def verdict_on(check: Check, subject: Subject) -> Verdict:
    """Return how a check ends on a resource."""
    kind = subject.kind
    try:
        check.judge(subject)
    except LeftOutError as error:
        return Verdict(check, kind, "skip", str(error))
    except (NotMetError, OSError, SyntaxError, ValueError, KeyError) as error:
        return Verdict(check, kind, "fail", " ".join(str(error).split()))
    return Verdict(check, kind, "pass")


def _subject(kind: Kind, root: str, parameters: Parameters) -> Subject:
    """Make a container, and the document or binary in it."""
    container = _made(root, _BODY, "text/turtle", Link=f'<{LDP}BasicContainer>; rel="type"')
    _made(container, _BODY, "text/turtle")
    uri = container
    if kind != "container":
        body, media_type = (_BODY, "text/turtle") if kind == "document" else (binaries.PNG, binaries.PNG_TYPE)
        uri = _made(container, body, media_type)
    allowed, on_container = (send("OPTIONS", place).allowed for place in (uri, container))
    return Subject(kind, uri, container, allowed, on_container, parameters)


def _made(container: str, body: str | bytes, media_type: str, **headers: str) -> str:
    answer = send("POST", container, body, Content_Type=media_type, **headers)
    if answer.status != 201:
        raise NotMetError(f"POST to {container} answers {answer.status}")
    return containers.location_of(answer)
