"""The languages that patches come in."""

from codecs import BOM_UTF8

from ldp_server.faults import Problem
from ldp_server.negotiation import read_media_type, refuse_content_encoding
from ldp_server.patching import n3_patch, sparql_update
from ldp_server.patching.edits import Update, malformed_patch
from ldp_server.settings import Settings

ACCEPTED = f"{n3_patch.MEDIA_TYPE}, {sparql_update.MEDIA_TYPE}"


def patch_language(content_type: str | None, content_encoding: str | None = None) -> str:
    """Return the media type of a patch, or raise LDP003 (none is given) or LDP005 (it is no patch)."""
    refuse_content_encoding(content_encoding)
    if content_type is None or not content_type.strip():
        raise Problem("LDP003", f"The patch has no Content-Type. Send one of {ACCEPTED}.")
    media = read_media_type(content_type)
    if media is None or media.name not in ACCEPTED.split(", ") or not media.is_utf8:
        raise Problem(
            "LDP005",
            f"{content_type[:100]!r} is no patch that is read here. Send one of {ACCEPTED}, in UTF-8.",
            headers={"Accept-Patch": ACCEPTED},
        )
    return media.name


def read_patch(language: str, body: bytes, uri: str, settings: Settings) -> Update:
    """Return what a patch of the document at ``uri`` asks for, or raise LDP070, LDP071 or LDP007."""
    try:
        text = body.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise malformed_patch(f"the patch is not UTF-8 at octet {error.start + 1}.") from None
    if language == n3_patch.MEDIA_TYPE:
        return Update(text, (n3_patch.read_n3_patch(text, uri, settings),))
    return sparql_update.read_update(text, uri, settings)
