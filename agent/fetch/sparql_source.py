"""SPARQL endpoints as sources: the result of a CONSTRUCT or DESCRIBE query is a document like any other.

SPARQLWrapper asks, in a thread, since it blocks. It follows redirects on its own, so that only endpoints that the
user named are asked.
"""

import asyncio
import urllib.error
from http.client import HTTPException, HTTPResponse

from SPARQLWrapper import GET, POST, TURTLE, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

from agent.fetch.answers import answer_from
from agent.messages import Answer, NoAnswer
from agent.rdf.endpoints import GraphQuery
from agent.transport.client import Client, NoReplyError, Reply

_LONGEST_IN_URI = 2_000
_PIECE = 65_536


async def ask_endpoint(client: Client, uri: str, query: GraphQuery) -> Answer | NoAnswer:
    """Return what the endpoint answers ``query`` with, as the answer to a Get of ``uri``.

    Bounded by the time-out and the size that ``client`` has for all requests. NoReplyError if no answer came.
    """
    target = client.target(query.endpoint)
    if not target.is_mapped and not client.policy.is_named(target.hostname):
        raise NoReplyError(f"host refused by policy: nobody named the SPARQL endpoint {query.endpoint}")
    request = SPARQLWrapper(target.wire_uri)
    request.setQuery(query.query)
    request.setMethod(GET if len(query.query) <= _LONGEST_IN_URI else POST)
    request.setReturnFormat(TURTLE)
    request.setOnlyConneg(True)
    request.setTimeout(max(1, int(client.settings.request_timeout_s)))
    for name, value in query.parameters:
        request.addParameter(name, value)
    for name, value in (("Host", target.host), *client.settings.credentials.get(target.origin, {}).items()):
        request.addCustomHttpHeader(name, value)
    asked = asyncio.to_thread(_ask, request, client.settings.max_body_bytes)
    try:
        reply = await asyncio.wait_for(asked, client.settings.request_timeout_s)
    except TimeoutError:
        raise NoReplyError(f"no answer within {client.settings.request_timeout_s:g} s") from None
    return answer_from(uri, Reply(uri, *reply))


def _ask(request: SPARQLWrapper, max_bytes: int) -> tuple[int, dict[str, str], bytes]:
    """Return status, header fields and body of the answer; NoReplyError."""
    try:
        response: HTTPResponse = request.query().response
        with response:
            return response.status, _content_type(response), _read(response, max_bytes)
    except SPARQLWrapperException as error:
        if isinstance(error.__context__, urllib.error.HTTPError):
            error.__context__.close()
        raise NoReplyError(f"the SPARQL endpoint refused the query: {type(error).__name__}") from None
    except urllib.error.HTTPError as error:
        error.close()
        raise NoReplyError(f"the SPARQL endpoint answered {error.code}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise NoReplyError(f"no answer from the SPARQL endpoint: {error}") from None


def _content_type(response: HTTPResponse) -> dict[str, str]:
    return {"content-type": response.headers.get("Content-Type", "")}


def _read(response: HTTPResponse, max_bytes: int) -> bytes:
    body = bytearray()
    while piece := response.read(_PIECE):
        body += piece
        if len(body) > max_bytes:
            raise NoReplyError(f"larger than {max_bytes} bytes")
    if response.length:
        # A response that is read piece by piece does not complain of a body that ends early.
        raise NoReplyError("the answer broke off")
    return bytes(body)
