"""A group of commands whose options are given once: click would keep the last and forget the others without a word."""

from __future__ import annotations

import click

from noughts.domain.errors import InputError

__all__ = ["Group"]


class Group(click.Group):
    """Commands by name. An option that is given twice is refused, whatever its command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant, as click does, after its options were found to be given once each."""
        name, found, rest = super().resolve_command(ctx, args)
        if found is not None and not isinstance(found, click.Group) and not ctx.resilient_parsing:
            _require_once(found.context_class(found, ctx, name, **found.context_settings), rest)
        return name, found, rest


def _require_once(context: click.Context, arguments: list[str]) -> None:
    """Raise InputError for an option that is given more than once."""
    _, _, order = context.command.make_parser(context).parse_args(args=list(arguments))
    for option in order:
        times = order.count(option)
        if isinstance(option, click.Option) and not option.multiple and times > 1:
            name = "/".join([option.opts[-1], *option.secondary_opts])
            raise InputError(f"{name} is given {'twice' if times == 2 else f'{times} times'}: give it once")
