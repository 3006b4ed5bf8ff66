"""What a kind of page is: its address, the parameters it takes, the forms it has, and the module that answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.web.ask import Form

__all__ = ["Kind", "Parameter"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of an address. A `flag` is `1` or absent; a `choice` is one of `choices`, any case.

    `usual` is what it is where it is not given, None where nothing stands for that. What is `only_here` has no option
    of that name on the command line. `refused` holds words that one may expect, each with why not. Where `bots` may be
    meant, names that are no choice are left to the page: bots that the server was given, and genomes.
    """

    name: str
    kind: Literal["choice", "flag", "number", "text"]
    about: str
    choices: tuple[str, ...] = ()
    usual: str | None = None
    only_here: bool = False
    refused: tuple[tuple[str, str], ...] = ()
    bots: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of page. `path` has `{board}` and `{what}` where they stand; `module`, in `web.pages`, answers it.

    Beside the forms of `forms` every kind has HTML. `whats` are the words that `{what}` may be, any text where empty.
    """

    name: str
    path: str
    title: str
    module: str
    forms: tuple[Form, ...] = ("json",)
    parameters: tuple[Parameter, ...] = ()
    whats: tuple[str, ...] = ()
