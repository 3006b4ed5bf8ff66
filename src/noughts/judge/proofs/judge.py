"""Reads a proof and says what it proves, or at which line it fails. docs/reference/proofs.md has the format."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.judge.proofs.ground import Permutation, ProofBoard, Script, SectionCount, closure, marks_of, read_ground
from noughts.judge.proofs.others import GamePlayJudge, require_start
from noughts.judge.proofs.partners import judge_partners
from noughts.judge.proofs.sections import (
    MirrorJudge,
    PlayJudge,
    ThreatJudge,
    WinJudge,
    judge_plane,
    judge_stop,
    plane_k,
)
from noughts.rules.errors import InputError, shown
from noughts.rules.values import short

FIRST = "noughts proof 1"
LINES_A_SECOND = 600
"""Lines of a certificate that a slow machine judges in a second."""
CLAIMS = {
    "X wins": ("X wins",),
    "O wins": ("O wins",),
    "X stopped": ("X stopped",),
    "O stopped": ("O stopped",),
    "draw": ("X stopped", "O stopped"),
}
"""For each claim the facts that its sections must show."""
TITLES = {
    **{f"win {player}": ("win", player, f"{player} wins") for player in "XO"},
    **{f"stop {player}": ("stop", player, f"{player} stopped") for player in "XO"},
    **{f"stop {player} by threats": ("threats", player, f"{player} stopped") for player in "XO"},
    **{f"stop {player} by mirroring": ("mirror", player, f"{player} stopped") for player in "XO"},
    "stop O by stealing": ("steal", "O", "O stopped"),
    **{f"play {player} to win": ("play to win", player, f"{player} wins") for player in "XO"},
    **{f"play {one} not to lose": ("play", one, f"{other} stopped") for one, other in ("XO", "OX")},
}
"""For each title of a section its kind, its player, and the fact that it shows."""
_HEAD = ("board", "end", "from", "claim")


@dataclass(frozen=True, repr=False)
class SectionShown:
    """The fact that a section of a proof shows, and how many positions and replies were played for it."""

    title: str
    shows: str
    positions: int
    replies: int

    def __repr__(self) -> str:
        return f"<SectionShown {short(self.title)}: {self.positions:,} positions>"


@dataclass(frozen=True, repr=False)
class Judgement:
    """What a proof shows: the board, the position (None: the empty board), the claim, and the sections.

    `end` is `full` where lines are judged on the full board.
    """

    board: str
    position: str | None
    claim: str
    sections: tuple[SectionShown, ...]
    symmetries: int
    end: str = "line"

    def __repr__(self) -> str:
        return f"<Judgement on {short(self.board)}: {self.claim}>"

    @property
    def positions(self) -> int:
        """Number of positions with a line of their own, in all sections."""
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
    """Play every reply to a proof and return what it proves.

    Raises InputError for text that is not a proof, and ProofFault, with the line, for a proof that does not hold.
    Cost: for each line of the proof all blank cells, each against the sequences of the line.
    """
    script = Script(text.splitlines())
    if script.peek() != FIRST:
        raise InputError(f"this is not a proof: its first line must be {FIRST!r}")
    script.next_line("head")
    head = _head(script)
    if "board" not in head or "claim" not in head:
        raise InputError("the first lines of the certificate must name its board and its claim")
    if head["claim"] not in CLAIMS:
        raise InputError(f"unknown claim {shown(head['claim'])}: choose {', '.join(CLAIMS)}")
    if (k := plane_k(head["board"])) is not None:
        return _plane(script, head, k)
    if "end" in head:
        return _full(script, head)
    ground = read_ground(head["board"])
    script.cell_count = ground.cells
    marks = marks_of(head["from"], ground) if "from" in head else (0, 0)
    if ground.game:
        require_start(head.get("from", "the empty board"), marks, ground)
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
            script.fault(f"the claim {head['claim']!r} needs a section that shows {fact!r}; it is missing")
    return Judgement(head["board"], head.get("from"), head["claim"], tuple(found.values()), len(group))


def _plane(script: Script, head: dict[str, str], k: int) -> Judgement:
    """Judge a certificate on the infinite board."""
    if "from" in head:
        raise InputError("a proof on the infinite board begins at the empty board: remove the line 'from'")
    if head["claim"] not in ("draw", "X stopped", "O stopped"):
        raise InputError(
            f"unknown claim {shown(head['claim'])} on the infinite board: choose draw, X stopped, O stopped"
        )
    section = SectionShown(script.peek() or "", "both stopped", judge_plane(script, k), 0)
    return Judgement(head["board"], None, head["claim"], (section,), 1)


def _full(script: Script, head: dict[str, str]) -> Judgement:
    """Judge a certificate about play to the full board."""
    if head["end"] != "full" or "from" in head:
        raise InputError("write 'end full' for play to the full board, from the empty board, or remove the line 'end'")
    section = SectionShown("partners", head["claim"], judge_partners(script, head["board"], head["claim"]), 0)
    return Judgement(head["board"], None, head["claim"], (section,), 1, end="full")


def _head(script: Script) -> dict[str, str]:
    found: dict[str, str] = {}
    while (line := script.peek()) is not None and (word := line.partition(" ")[0]) in _HEAD:
        script.next_line("head")
        if word in found:
            raise InputError(f"the certificate has two lines {word!r}")
        found[word] = line.partition(" ")[2].strip()
    return found


def _generators(script: Script, ground: ProofBoard) -> list[list[int]]:
    found: list[list[int]] = []
    if script.peek() != "symmetries":
        return found
    script.next_line("head")
    while (line := script.peek()) is not None and line[:1].isdigit():
        if len(line) > 4 * ground.cells:
            raise InputError("a symmetry of the certificate has more cells than its board")
        found.append(script.cells(script.next_line("symmetries")))
    return found


def _section(
    script: Script, title: str, ground: ProofBoard, marks: tuple[int, int], group: list[Permutation]
) -> tuple[str, SectionCount]:
    """Judge a section after its title; return the fact that it shows, and its counts."""
    if title not in TITLES:
        script.fault(f"this line must be the title of a section: {', '.join(TITLES)}")
    kind, player, shows = TITLES[title]
    if ground.is_misere and kind != "mirror" and not kind.startswith("play"):
        script.fault("on a misere board only the sections 'play' and 'stop by mirroring' can prove a claim")
    if kind == "mirror" and not ground.is_misere:
        script.fault("a player who answers by images avoids lines: that serves under misere only")
    if ground.falling and not kind.startswith("play"):
        script.fault("where marks fall only the sections 'play' can prove a claim")
    if ground.game:
        if not kind.startswith("play"):
            script.fault("where marks do not name the players only the sections 'play' can prove a claim")
        play = GamePlayJudge(script, ground, group, player, to_win=kind == "play to win")
        return shows, play.judge(marks)
    x, o = marks
    if kind == "steal":
        if x or o:
            script.fault("strategy stealing excludes a win of the second player on the empty board only")
        return shows, SectionCount()
    own, other = (x, o) if player == "X" else (o, x)
    moves = (x.bit_count() == o.bit_count()) == (player == "X")
    if kind == "stop":
        return shows, judge_stop(script, ground, own, other, moves, group)
    if kind == "mirror":
        return shows, MirrorJudge(script, ground, group).judge((other, own), not moves)
    if kind == "threats":
        return shows, ThreatJudge(script, ground, group).judge((other, own), not moves)
    judge = WinJudge(script, ground, group) if kind == "win" else PlayJudge(script, ground, group)
    judge.to_win = kind == "play to win"
    return shows, judge.judge((own, other), moves)
