"""A page of the server as a parser sees it: what elements and links it has, what text it shows."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"link", "meta"})
ELEMENTS = VOID | frozenset(
    [
        "html",
        "head",
        "title",
        "style",
        "body",
        "nav",
        "main",
        "h1",
        "h2",
        "ul",
        "li",
        "a",
        "table",
        "tr",
        "th",
        "td",
        "bdi",
        "small",
        "span",
        "p",
        "footer",
    ]
)
ATTRIBUTES = frozenset(
    [
        "lang",
        "charset",
        "name",
        "content",
        "rel",
        "type",
        "href",
        "aria-label",
        "aria-current",
        "scope",
        "id",
        "title",
    ]
)


@dataclass
class HtmlPage:
    """What a page holds; texts of one element without elements inside come as one."""

    links: list[tuple[str, str]] = field(default_factory=list)
    """Targets and texts of all ``a`` elements, in order."""
    texts: list[str] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    """The two cells of each row of a table."""
    title: str = ""
    style: str = ""


def read_html(body: bytes) -> HtmlPage:
    """Return what a page holds; assert that it is balanced and has the expected elements and attributes only."""
    parser = _Parser()
    parser.feed(body.decode())
    parser.close()
    assert parser.open == []
    assert parser.declarations == ["DOCTYPE html"]
    return parser.page


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = HtmlPage()
        self.open: list[str] = []
        self.declarations: list[str] = []
        self._cells: list[str] = []

    def handle_decl(self, decl: str) -> None:
        self.declarations.append(decl)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        assert {name for name, _ in attrs} <= ATTRIBUTES, attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "a":
            self.page.links.append((dict(attrs)["href"] or "", ""))
        elif tag == "tr":
            self._cells = []
        elif tag in {"th", "td"}:
            self._cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "tr":
            name, value = self._cells
            self.page.rows.append((name, value))
            self._cells = []

    def handle_data(self, data: str) -> None:
        inside = self.open[-1] if self.open else ""
        if inside == "title":
            self.page.title += data
        elif inside == "style":
            self.page.style += data
        elif data.strip():
            self.page.texts.append(data)
        if "a" in self.open:
            target, text = self.page.links[-1]
            self.page.links[-1] = target, text + data
        if self._cells and inside != "tr":
            self._cells[-1] += data
