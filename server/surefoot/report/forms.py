"""The three ways in which an account is written down."""

from enum import StrEnum
from typing import assert_never

from surefoot.report.account import Account
from surefoot.report.data import to_json
from surefoot.report.page import page
from surefoot.report.text import markdown


class Form(StrEnum):
    """Markdown is for a terminal or an editor, JSON for programs (its schema is `docs/report.schema.json`), HTML for people."""

    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"

    @property
    def suffix(self) -> str:
        """What names of such files end with."""
        return ".md" if self is Form.MARKDOWN else f".{self}"


def written(account: Account, form: Form) -> bytes:
    """The report as the bytes of a file. What no encoding has, as some names of files, is escaped."""
    return _text(account, form).encode("utf-8", "backslashreplace")


def _text(account: Account, form: Form) -> str:
    match form:
        case Form.MARKDOWN:
            return markdown(account)
        case Form.JSON:
            return to_json(account)
        case Form.HTML:
            return page(account)
        case _:
            assert_never(form)
