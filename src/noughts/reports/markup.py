"""A report as Markdown, and as HTML for notebooks and pages."""

from __future__ import annotations

from html import escape

from noughts.reports.page import Block, Commands, How, Paragraph, Pictures, Report, Verbatim
from noughts.reports.tables import Table, as_html, as_markdown

__all__ = ["html", "markdown"]


def markdown(report: Report) -> str:
    """Return a report as Markdown, drawings and commands as blocks of code."""
    return "\n\n".join(_markdown(block) for part in report.sections for block in part) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Paragraph(text):
            return text.strip()
        case How(text):
            return f"How we know: {text}"
        case Table():
            return as_markdown(block)
        case Commands(commands, heading):
            return "\n\n".join([*([heading] if heading else []), _code("\n".join(commands))])
        case Verbatim() | Pictures():
            return _code(_drawn(block))


def _code(text: str) -> str:
    return f"```text\n{text}\n```"


def _drawn(block: Verbatim | Pictures) -> str:
    if isinstance(block, Verbatim):
        return block.text
    return "\n\n".join("\n".join(line.rstrip() for line in drawing) for drawing in block.drawings)


def html(report: Report) -> str:
    """Return a report as a piece of HTML without styles of its own but for the sides that columns keep to."""
    return "\n".join(f"<section>{''.join(map(_html, part))}</section>" for part in report.sections)


def _html(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{escape(text.strip())}</p>"
        case How(text):
            return f"<p>How we know: {escape(text)}</p>"
        case Table():
            return as_html(block)
        case Commands(commands, heading):
            listed = "".join(f"<li><code>{escape(command)}</code></li>" for command in commands)
            return (f"<p>{escape(heading)}</p>" if heading else "") + f"<ul>{listed}</ul>"
        case Verbatim() | Pictures():
            return f"<pre>{escape(_drawn(block))}</pre>"
