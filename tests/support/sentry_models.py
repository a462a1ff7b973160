"""Models of one guarded stage whose sentries are drawn at random, and what they ask about."""

import random

from tests.support.random_questions import Drawing


def draw_model(chance: random.Random) -> str:
    """Return a model with drawn sentries, and some about the status of the instance."""
    queries = [Drawing(chance).query().replace("'", '"') for _ in range(4)]
    queries += [
        "ASK { ?thisArtifactInstance ag:hasActiveStage <#r> . ?thisArtifactInstance gsm:hasInactiveStage <#s> }",
        "ASK { ?e gsm:inArtifactInstance ?thisArtifactInstance ; gsm:isAchieved false FILTER(?e != <http://e/x>) }",
        "ASK { FILTER NOT EXISTS { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> } }",
        "ASK { <http://e/t0> <http://e/p0> ?v FILTER(?v > 0.5 && NOW() > '2000-01-01T00:00:00Z'^^xsd:dateTime) }",
    ]
    guards = " ".join(
        f"<#g{number}> gsm:hasCondition <#q{number}> . <#q{number}> ag:ask '''{query}''' ."
        for number, query in enumerate(queries)
    )
    guards += (
        "<#g8> gsm:hasCondition <#q8> . <#q8> sp:where ( [ sp:subject <http://e/t0> ; sp:predicate <http://e/p0> ; "
        "sp:object 1 ] [ gsm:inArtifactInstance gsm:thisArtifactInstance ; gsm:hasActiveStage <#r> ] ) ."
    )
    listed = " , ".join(f"<#g{number}>" for number in range(len(queries) + 1))
    return (
        "<#r> a gsm:Stage ; ag:source <http://w/env> ; gsm:hasChildStage <#s> . "
        f"<#s> a gsm:Stage ; gsm:hasGuard {listed} ; gsm:hasMilestone <#m> . "
        f"<#m> gsm:hasAchievingSentry <#q{chance.randrange(len(queries))}> . {guards}"
    )


def draw_environment(chance: random.Random) -> str:
    """Return what such sentries ask about."""
    values = ("1", "01", "true", "2.50", '"a"', "<http://e/t1>", "<http://w/s/i1#it>", "'1'^^<http://e/type>")
    return "".join(
        f"<{chance.choice(('http://e/t0', 'http://e/t1', 'http://w/s/i1#it'))}> "
        f"<http://e/p{chance.randrange(3)}> {chance.choice(values)} ."
        for _ in range(chance.randrange(9))
    )
