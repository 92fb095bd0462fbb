"""Papers read back: what somebody sees of each format, in reading order, with none of its markup."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.publishing.papers import printed


@dataclass(slots=True)
class ReadBack:
    """What stands on a paper.

    - `words`: everything in reading order, pictures too, with single blanks.
    - `fields`: the places for answers; of a table the names of its nodes, of a box or a line nothing.
    """

    words: str
    fields: list[list[str]] = field(default_factory=list)


def single_blanks(text: str) -> str:
    """A text on one line, every blank an ordinary one."""
    return " ".join(re.sub("[\u2000-\u200b\u202f\u2060]", " ", text).split())


class _Html(HTMLParser):
    """The text of a page as a browser shows it, and its places for answers."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.fields: list[list[str]] = []
        self._hidden = 0
        self._rows: list[list[str]] | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Leave out what is not shown, and note boxes and cells."""
        self._hidden += tag in ("style", "script", "title", "desc", "details")
        self.texts.append(" ")
        if tag == "table" and not self._hidden:
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in ("th", "td") and self._rows is not None:
            self._rows[-1].append("")
        elif ("class", "box") in attrs:
            self.fields.append([])

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened; of a table its empty cells have to fit the names."""
        self._hidden -= tag in ("style", "script", "title", "desc", "details")
        self.texts.append(" ")
        if tag == "table" and self._rows is not None:
            self.fields += _answer_tables(self._rows)
            self._rows = None

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        if not self._hidden:
            self.texts.append(data)
            if self._rows and self._rows[-1]:
                self._rows[-1][-1] += data.strip()


def _answer_tables(rows: list[list[str]]) -> list[list[str]]:
    """The names of nodes in a table, if it has empty cells for answers."""
    return [_nodes_of(rows)] if any("" in row for row in rows) else []


def _nodes_of(rows: list[list[str]]) -> list[str]:
    """The names of nodes in a table: in its first row, or in its first column before three empty cells."""
    first, *others = rows
    if len(rows) == 2 and rows[1][1:] == [""] * (len(first) - 1):
        return first[1:]
    assert len(first) == 4
    assert all(row[1:] == ["", "", ""] for row in others)
    return [row[0] for row in others]


def read_html(page: bytes) -> ReadBack:
    """A page in a browser."""
    read = _Html(page.decode())
    return ReadBack(single_blanks("".join(read.texts)), read.fields)


def read_markdown(page: bytes) -> ReadBack:
    """Markdown as it is shown: a sign behind a backslash is itself, one without is markup."""
    fields: list[list[str]] = []
    rows: list[list[str]] = []
    for line in [*page.decode().splitlines(), ""]:
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) > 2 and not line.startswith("```"):
            rows.append([_unmarked(cell).strip() for cell in cells[1:-1]])
        elif rows:
            fields += _answer_tables([row for row in rows if set("".join(row)) != {"-"}])
            rows = []
        if re.search(r"(?<!\\)__________$", line) and line.startswith("**"):
            fields.append([])
    text = re.sub(r"(?m)^(#+|-|---) |^```\w*$", " ", page.decode())
    return ReadBack(single_blanks(_unmarked(text)), fields)


def _unmarked(text: str) -> str:
    kept = re.sub(r"\\([^A-Za-z0-9\s])", lambda found: _kept(found[1]), text)
    return _shown(re.sub(r"[*_`|]", "", kept))


def read_text(page: bytes) -> ReadBack:
    """Plain text."""
    fields: list[list[str]] = []
    names: list[str] = []
    text = page.decode()
    for line in text.splitlines():
        if found := re.fullmatch(r"\s*(\S.*?): (?:.* )?________", line):
            names.append(found[1])
        elif names:
            fields.append(names)
            names = []
        if re.fullmatch(r"\s*\S+: _{30,}", line):
            fields.append([])
    return ReadBack(single_blanks(text), fields)


_TEX_SIGNS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textquotedbl{}": '"',
    r"$\leq$": "≤",
    r"$\geq$": "≥",
    r"$\infty$": "∞",
    r"\ldots{}": "…",
    "$-$": "−",
    **{f"\\{sign}": sign for sign in "{}$&#_%"},
    **{f"{{{sign}}}": sign for sign in "-,`'"},
}
"""How LaTeX prints what it would take for a command."""

_TEX_SIGN = re.compile("|".join(map(re.escape, sorted(_TEX_SIGNS, key=len, reverse=True))))


def read_latex(page: bytes) -> ReadBack:
    """LaTeX as it is printed; an unescaped sign is no word, and all behind a percent sign is none either."""
    source = page.decode().partition(r"\begin{document}")[2]
    kept = _TEX_SIGN.sub(lambda found: _kept(_TEX_SIGNS[found[0]]), source)
    bare = re.sub(r"%.*", "", kept)
    fields = [_tex_nodes(found[0]) for found in re.finditer(r"\\begin\{tabular\}\{\|l.*?\\end\{tabular\}|"
              r"\\answerbox\{", bare, re.DOTALL)]  # fmt: skip
    bare = re.sub(r"\\(?:begin|end)\{\w+\}(?:\[\w\])?|\\\w+|\\\\", " ", bare)
    bare = re.sub(r"[{}~^_#&$]", " ", bare)
    return ReadBack(single_blanks(_shown(bare)), [[_shown(name) for name in names] for names in fields])


def _tex_nodes(table: str) -> list[str]:
    """The names of nodes in a table of LaTeX."""
    return re.findall(r"\\textbf\{([^}]*)\}", table)


def _shown(text: str) -> str:
    """A text with the signs for what `_kept` has put there."""
    return re.sub("\ue000(\\d+)\ue001", lambda found: chr(int(found[1])), text)


def _kept(sign: str) -> str:
    """What stands for a sign that is printed, while others are taken for markup."""
    return f"\ue000{ord(sign)}\ue001"


def read_pdf(page: bytes) -> ReadBack:
    """A document on paper, in which places for answers are lines without words."""
    return ReadBack(single_blanks(" ".join(printed(page))))
