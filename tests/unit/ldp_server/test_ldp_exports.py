"""The public face of the package."""

import ldp_server
from agent.codes import CODES
from ldp_server.faults import FAULTS


def test_the_exported_names_are_these() -> None:
    assert ldp_server.__all__ == [
        "Done",
        "Keyring",
        "MemoryStore",
        "Page",
        "Preferences",
        "Problem",
        "RunningServer",
        "ServerError",
        "Service",
        "Settings",
        "SqliteStore",
        "Store",
        "TokenFile",
        "Tokens",
        "Writing",
        "add_token",
        "create_app",
        "listen",
        "new_token",
        "open_sqlite_store",
        "read_tokens",
        "serve",
    ]
    assert all(hasattr(ldp_server, name) for name in ldp_server.__all__)


def test_every_code_of_the_server_is_explained_under_the_same_title() -> None:
    explained = {code: row.title for code, row in CODES.items() if code.startswith("LDP")}
    assert explained == {code: fault.title for code, fault in FAULTS.items()}
