"""Reads a certificate and says what it proves, or at which line it fails. (The format: docs/reference/proofs.md.)"""

from __future__ import annotations

from dataclasses import dataclass

from noughts.judge.proofs.ground import Permutation, ProofBoard, Script, SectionCount, closure, marks_of, read_ground
from noughts.judge.proofs.sections import PlayJudge, WinJudge, judge_plane, judge_stop, plane_k
from noughts.rules.errors import InputError, shown
from noughts.rules.values import short

FIRST = "noughts proof 1"
LINES_A_SECOND = 600
"""What is read of a certificate on a slow machine, where every line has replies to be played."""
CLAIMS = {
    "X wins": ("X wins",),
    "O wins": ("O wins",),
    "X stopped": ("X stopped",),
    "O stopped": ("O stopped",),
    "draw": ("X stopped", "O stopped"),
}
"""For each claim what its sections have to show."""
TITLES = {
    **{f"win {player}": ("win", player, f"{player} wins") for player in "XO"},
    **{f"stop {player}": ("stop", player, f"{player} stopped") for player in "XO"},
    "stop O by stealing": ("steal", "O", "O stopped"),
    **{f"play {player} to win": ("play to win", player, f"{player} wins") for player in "XO"},
    **{f"play {one} not to lose": ("play", one, f"{other} stopped") for one, other in ("XO", "OX")},
}
"""For each title of a section its kind, its player, and what it shows."""
_HEAD = ("board", "from", "claim")


@dataclass(frozen=True, repr=False)
class SectionShown:
    """What a section of a proof shows: its `title`, the fact, and the positions and replies that were played."""

    title: str
    shows: str
    positions: int
    replies: int

    def __repr__(self) -> str:
        return f"<SectionShown {short(self.title)}: {self.positions:,} positions>"


@dataclass(frozen=True, repr=False)
class Judgement:
    """What a certificate proves: the board, the position (None: the empty board), the claim, and its sections."""

    board: str
    position: str | None
    claim: str
    sections: tuple[SectionShown, ...]
    symmetries: int

    def __repr__(self) -> str:
        return f"<Judgement on {short(self.board)}: {self.claim}>"

    @property
    def positions(self) -> int:
        """Positions that have a line of their own, in all sections."""
        return sum(section.positions for section in self.sections)

    def as_dict(self) -> dict[str, object]:
        """Return the judgement for JSON; counts as text."""
        sections = [
            {"section": each.title, "shows": each.shows, **_written(positions=each.positions, replies=each.replies)}
            for each in self.sections
        ]
        return {**vars(self), "sections": sections, **_written(symmetries=self.symmetries)}


def _written(**counts: int) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


def judge_proof(text: str) -> Judgement:
    """Return what a certificate proves, when every reply has been played.

    Raises InputError for what cannot be read as a certificate and ProofFault, with the line, for one that does not
    hold. Cost: for each line of the certificate all blank cells, each against its sequences.
    """
    script = Script(text.splitlines())
    if script.peek() != FIRST:
        raise InputError(f"this is no proof: its first line has to be {FIRST!r}")
    script.next_line("head")
    head = _head(script)
    if "board" not in head or "claim" not in head:
        raise InputError("the certificate does not say its board and its claim in its first lines")
    if head["claim"] not in CLAIMS:
        raise InputError(f"{shown(head['claim'])} is no claim: choose {', '.join(CLAIMS)}")
    if (k := plane_k(head["board"])) is not None:
        return _plane(script, head, k)
    ground = read_ground(head["board"])
    script.cell_count = ground.cells
    marks = marks_of(head["from"], ground) if "from" in head else (0, 0)
    group = closure(_generators(script, ground), ground)
    found: dict[str, SectionShown] = {}
    while script.peek() is not None:
        line = script.next_line("head")
        if line in found:
            script.fault(f"a second section {line}")
        shows, settled = _section(script, line, ground, marks, group)
        found[line] = SectionShown(line, shows, *settled)
    for fact in CLAIMS[head["claim"]]:
        if fact not in {section.shows for section in found.values()}:
            script.fault(f"the claim {head['claim']!r} needs a section that shows {fact!r}, and there is none")
    return Judgement(head["board"], head.get("from"), head["claim"], tuple(found.values()), len(group))


def _plane(script: Script, head: dict[str, str], k: int) -> Judgement:
    """Judge a certificate on the infinite board."""
    if "from" in head:
        raise InputError("a proof on the infinite board is about the empty board: leave out the line from")
    if head["claim"] not in ("draw", "X stopped", "O stopped"):
        raise InputError(f"{shown(head['claim'])} is no claim on the infinite board: choose draw, X stopped, O stopped")
    section = SectionShown(script.peek() or "", "both stopped", judge_plane(script, k), 0)
    return Judgement(head["board"], None, head["claim"], (section,), 1)


def _head(script: Script) -> dict[str, str]:
    found: dict[str, str] = {}
    while (line := script.peek()) is not None and (word := line.partition(" ")[0]) in _HEAD:
        script.next_line("head")
        if word in found:
            raise InputError(f"the certificate says its {word} twice")
        found[word] = line.partition(" ")[2].strip()
    return found


def _generators(script: Script, ground: ProofBoard) -> list[list[int]]:
    found: list[list[int]] = []
    if script.peek() != "symmetries":
        return found
    script.next_line("head")
    while (line := script.peek()) is not None and line[:1].isdigit():
        if len(line) > 4 * ground.cells:
            raise InputError("a symmetry of the certificate is longer than the cells of its board")
        found.append(script.cells(script.next_line("symmetries")))
    return found


def _section(
    script: Script, title: str, ground: ProofBoard, marks: tuple[int, int], group: list[Permutation]
) -> tuple[str, SectionCount]:
    """Judge a section whose title was read; return what it shows and what it settles."""
    if title not in TITLES:
        script.fault(f"here a section begins, with a title: {', '.join(TITLES)}")
    kind, player, shows = TITLES[title]
    if ground.is_misere and not kind.startswith("play"):
        script.fault("who completes a line loses on this board: only sections of play prove anything there")
    x, o = marks
    if kind == "steal":
        if x or o:
            script.fault("the second player's win is excluded by stealing the strategy on the empty board only")
        return shows, SectionCount()
    own, other = (x, o) if player == "X" else (o, x)
    moves = (x.bit_count() == o.bit_count()) == (player == "X")
    if kind == "stop":
        return shows, judge_stop(script, ground, own, other, moves, group)
    judge = WinJudge(script, ground, group) if kind == "win" else PlayJudge(script, ground, group)
    judge.to_win = kind == "play to win"
    return shows, judge.judge((own, other), moves)
