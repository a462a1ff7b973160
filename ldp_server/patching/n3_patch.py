"""N3 Patch: a ``solid:InsertDeletePatch`` in Notation3 (Solid Protocol, section 5.3.1)."""

from collections.abc import Iterable

from ldp_server.faults import Problem
from ldp_server.patching.edits import Edit, Formulas, Pattern, findable, is_blank, is_variable, read_formulas
from ldp_server.patching.tokens import Variables, hide_variables
from ldp_server.settings import Settings
from ldp_server.vocabulary import RDF_TYPE

MEDIA_TYPE = "text/n3"

SOLID = "http://www.w3.org/ns/solid/terms#"
_TYPE = f"<{RDF_TYPE}>"
_KIND = f"<{SOLID}InsertDeletePatch>"
_PATCHES = f"<{SOLID}patches>"
_PARTS = {f"<{SOLID}{name}>": name for name in ("where", "deletes", "inserts")}


def read_n3_patch(text: str, uri: str, settings: Settings) -> Edit:
    """Return what a patch of the document at ``uri`` asks for.

    Raises Problem: LDP070 (not Notation3), LDP071 (not one patch of the form that the protocol defines), LDP007.
    """
    variables = Variables()
    hidden, braces = hide_variables(text, variables)
    read = read_formulas(hidden, variables, uri, settings)
    parts = _parts(read, _the_patch(read), f"<{uri}>")
    if braces != len(parts) or set(read.formulas) - set(parts.values()):
        raise _unusual(
            "where, deletes and inserts are formulas in braces, without formulas inside or beside them"
        )
    formulas = {name: read.formulas.get(formula, ()) for name, formula in parts.items()}
    where = findable(formulas.get("where", ()))
    edit = Edit(where, formulas.get("deletes", ()), formulas.get("inserts", ()), strict=True)
    _check(edit)
    return edit


def _the_patch(read: Formulas) -> str:
    patches = {subject for subject, predicate, item in read.triples if (predicate, item) == (_TYPE, _KIND)}
    if len(patches) != 1:
        raise _unusual(f"it has one solid:InsertDeletePatch, this one has {len(patches)}")
    return patches.pop()


def _parts(read: Formulas, patch: str, document: str) -> dict[str, str]:
    """Return the formula of each part; what nobody understands is refused, it could be a part misspelt."""
    parts: dict[str, str] = {}
    for subject, predicate, item in read.triples:
        name = _PARTS.get(predicate)
        if name is None:
            is_known = predicate == _TYPE or (predicate == _PATCHES and item == document)
            if subject == patch and not is_known:
                raise _unusual(f"{predicate[:200]} {item[:200]} says nothing about a patch of this document")
        elif subject != patch:
            raise _unusual("a part belongs to the solid:InsertDeletePatch")
        elif parts.setdefault(name, item) != item:
            raise _unusual(f"it has one solid:{name} at most")
    return parts


def _check(edit: Edit) -> None:
    bound = _variables(edit.where)
    for name, patterns in (("deletes", edit.deletes), ("inserts", edit.inserts)):
        if loose := sorted(_variables(patterns) - bound):
            raise _unusual(f"{loose[0][:100]} in solid:{name} is not in solid:where")
    if any(is_blank(term) for pattern in edit.deletes for term in pattern):
        raise _unusual(
            "solid:deletes has a blank node; bind a variable to it in solid:where and delete with that"
        )


def _variables(patterns: Iterable[Pattern]) -> set[str]:
    return {term for pattern in patterns for term in pattern if is_variable(term)}


def _unusual(reason: str) -> Problem:
    return Problem("LDP071", f"This is no patch that can be done: {reason}.")
