"""The status of workflow instances as it stands in a container, by the names of model elements."""

import pyoxigraph as ox

from tests.support.recorded import Recorded

GSM = "http://purl.org/gsm/vocab#"


async def status_of(server: Recorded, container: str, instance: str) -> dict[str, str]:
    """Return local name of each stage and milestone of ``instance`` (a path with fragment) to its status."""
    base = server.base
    listing = ox.parse(await server.get(container), format=ox.RdfFormat.N_TRIPLES)
    members = [
        q.object.value
        for q in listing
        if q.predicate.value.endswith("#contains") and isinstance(q.object, ox.NamedNode)
    ]
    found: dict[str, str] = {}
    for member in members:
        text = await server.get(member.removeprefix(base))
        found |= _elements(text, member, base + instance)
    return found


def _elements(text: str, document: str, instance: str) -> dict[str, str]:
    about: dict[object, dict[str, str]] = {}
    for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES):
        if not str(quad.subject).startswith(f"<{document}#"):
            continue
        value = quad.object.value if not isinstance(quad.object, ox.Triple) else ""
        about.setdefault(quad.subject, {})[quad.predicate.value.removeprefix(GSM)] = value
    return {
        facts["isInstanceOf"].rpartition("#")[2]: facts.get(
            "hasState", facts.get("isAchieved", "")
        ).rpartition("#")[2]
        for facts in about.values()
        if facts.get("inArtifactInstance") == instance
    }
