"""A browser without scripts: it follows links, fills in forms, presses buttons and knows nothing else of the server."""

from collections import defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx


@dataclass
class Form:
    """One form of a page: its fields as they are, its buttons by name and value, and the texts of the page."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


class Reader(HTMLParser):
    """Finds the form `task` of a page (or its only form), and what is marked with a class."""

    def __init__(self) -> None:
        """An empty page."""
        super().__init__()
        self.forms: dict[str, Form] = {}
        self.data: dict[str, str] = {}
        self.question = ""
        self.classes: dict[str, str] = {}
        self._form: Form | None = None
        self._class: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect forms, fields and buttons."""
        values = {key: value or "" for key, value in attrs}
        if tag == "main":
            self.data = values
        self.question = values.get("data-question", self.question)
        if tag == "form":
            self._form = self.forms[values.get("id", "")] = Form()
        if self._form is not None and values.get("name") and "disabled" not in values:
            self._collect(self._form, tag, values)
        self._class = values.get("class")

    def _collect(self, form: Form, tag: str, values: dict[str, str]) -> None:
        form.names.add(values["name"])
        if tag == "button":
            form.buttons.append((values["name"], values.get("value", "")))
        elif tag == "input" and values.get("type") not in {"checkbox", "radio"}:
            form.fields.append((values["name"], values.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        """Leave a form."""
        if tag == "form":
            self._form = None
        self._class = None

    def handle_data(self, data: str) -> None:
        """Collect the texts of classes."""
        if self._class:
            self.classes[self._class] = self.classes.get(self._class, "") + data


class Plain:
    """One visitor without scripts."""

    def __init__(self, client: httpx.Client) -> None:
        """A visitor with the cookies of `client`."""
        self.client = client
        self.page = Reader()
        self.status = 0
        self.html = self.path = ""

    def go(self, path: str) -> None:
        """Open an address."""
        self._read(self.client.get(path, follow_redirects=True))

    def start(self) -> None:
        """Press the only button of a welcome page."""
        self._read(self.client.post(self.path, data=dict(self.page.forms[""].fields), follow_redirects=True))

    def press(self, value: str, fields: dict[str, str | list[str]] | None = None, form: str = "task") -> None:
        """Fill in some fields and press the button with this value."""
        found = self.page.forms[form]
        name = next(name for name, of_button in found.buttons if of_button == value)
        posted: dict[str, list[str]] = defaultdict(list)
        for key, text in (*(one for one in found.fields if one[0] not in (fields or {})), (name, value)):
            posted[key].append(text)  # a button comes after the hidden fields of its name
        self._read(self.client.post(self.path, data={**posted, **(fields or {})}, follow_redirects=True))

    @property
    def kind(self) -> str:
        """The kind of page on display."""
        return self.page.data.get("data-kind", "")

    def _read(self, response: httpx.Response) -> None:
        self.page = Reader()
        self.status, self.html, self.path = response.status_code, response.text, response.url.path
        self.page.feed(response.text)
