"""Matchboxes in the browser: the same games as in Python from the same seed, and a machine that a class can watch."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

import noughts
from tests.browser.conftest import Open
from tests.dear import sample

pytestmark = pytest.mark.browser

TAUGHT = """async ([record, games, seed]) => {
  const { Draws, Machine, PlayGraph, opponentOf } = await import("/static/matchboxes.js");
  const machine = new Machine(record);
  machine.restart();
  const graph = new PlayGraph(machine, opponentOf(record.opponent, machine.geometry, machine.names));
  const draws = new Draws(seed), outcomes = [];
  for (let n = 0; n < games; n += 1) {
    const { outcome, trail } = graph.played(draws);
    machine.learn(trail, outcome);
    outcomes.push(outcome);
  }
  return { beads: machine.boxes.map((box) => box.beads), chances: graph.chances().map(String), outcomes };
}"""


@pytest.mark.parametrize(
    ("board", "rules"),
    sample(
        [
            ("3x3", {}),
            ("3x3", {"as_": "O", "against": "perfect", "empty": "refill", "beads": "doubling"}),
            ("3x3+misere", {"against": "medium", "symmetric": "each", "empty": "keep", "reward": (2, 0, -2)}),
            ("3x3+torus", {"as_": "O", "last_boxes": True}),
            ("2x2x2:2", {"against": "block"}),
            ("1x1", {}),
        ],
        2,
    ),
)
def test_the_same_seed_teaches_the_same(visit: Open, board: str, rules: dict[str, object]) -> None:
    made = noughts.menace(board, games=150, seed=2**31 + 12345, every=150, **rules)  # type: ignore[arg-type]
    page = visit("/api")
    found = page.evaluate(TAUGHT, [json.loads(json.dumps(made.as_dict())), 150, 2**31 + 12345])
    assert [tuple(box) for box in found["beads"]] == list(made.beads)
    x, draw, whole = map(int, found["chances"])
    assert (Fraction(x, whole), Fraction(draw, whole)) == (made.chances.x_wins, made.chances.draws)
    last = made.lessons[0].last
    assert found["outcomes"].count(made.player) == last.wins
    assert found["outcomes"].count("draw") == last.draws


def test_a_class_watches_a_game(visit: Open) -> None:
    page = visit("/3x3/menace", reduced_motion="reduce")
    page.wait_for_selector("#menace:not([hidden])")
    page.locator("#itself").uncheck()
    page.locator("#fresh").click()
    assert page.locator("#machine-text").text_content() == "Box 1 is open. Draw a bead."
    assert page.locator("#box h3").text_content() == "Box 1, turn 1 of X"
    assert page.locator("#box .tray .bead").count() == 12
    for _ in range(5):
        if page.locator("#act").is_enabled():
            page.locator("#act").press("Enter")
        free = page.locator("#table button:not([aria-disabled])")
        if not free.count():
            break
        free.first.focus()
        page.keyboard.press("Enter")
    text = page.locator("#machine-text").text_content() or ""
    assert re.match("(You win|The machine wins|A draw)", text)
    page.wait_for_function("document.querySelector('#say').textContent")  # a screen reader hears it a moment later
    rows = page.locator("#changes tbody tr").all_text_contents()
    assert 3 <= len(rows) <= 4
    change = "+3" if "machine wins" in text else "−1" if "You win" in text else "+1"
    assert all(change in row for row in rows)
    assert page.locator("#table button[aria-label^='a1,']").count() == 1


def test_a_hundred_games_grow_the_curve(visit: Open) -> None:
    page = visit("/3x3/menace?as=O", reduced_motion="reduce")
    page.wait_for_selector("#menace:not([hidden])")
    for name in ("random", "perfect"):
        page.locator(f"[data-teach={name}]").click()
        page.wait_for_function(
            "name => document.getElementById('machine-text').textContent.startsWith(`100 games against ${name}`)",
            arg=name,
        )
    assert (page.locator("#worth").text_content() or "").startswith("After 200 games: against random it wins")
    points = page.locator("#curve polyline.random").get_attribute("points") or ""
    assert len(points.split()) == 41
    page.locator("#forget").click()
    assert (page.locator("#worth").text_content() or "").startswith("After 0 games")


def test_without_scripts_the_page_has_boxes_counts_and_labels(visit: Open) -> None:
    page = visit("/3x3/menace", java_script_enabled=False)
    assert page.locator("#menace").is_hidden()
    assert page.get_by_role("link", name="Labels to print and cut").get_attribute("href") == "/3x3/menace.pdf?labels=1"
    page.get_by_role("button", name="Teach it").click()
    page.locator("main", has_text="After 200 games against random").wait_for()
    assert page.locator("main svg").count() == 1


def test_the_keyboard_keeps_its_place(visit: Open) -> None:
    page = visit("/3x3/menace", reduced_motion="reduce")
    page.wait_for_selector("#menace:not([hidden])")
    page.locator("#itself").uncheck()
    page.locator("#fresh").click()
    page.locator("#act").focus()
    page.keyboard.press("Enter")
    assert page.locator("#act").get_attribute("aria-disabled") == "true"
    assert page.evaluate("document.activeElement.id") == "act"
    page.locator("#at-0").focus()
    for key, there in (("ArrowRight", 1), ("ArrowDown", 4), ("ArrowLeft", 3), ("ArrowLeft", 3), ("ArrowUp", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == f"at-{there}"
