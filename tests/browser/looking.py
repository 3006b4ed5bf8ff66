"""What axe finds on a page; and the looks of its words, so that colours that axe has judged are not judged again."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["Looks", "thin", "unreachable_by_keys", "violations"]

COLOUR_RULES = ("color-contrast", "link-in-text-block")
"""The rules of axe about colour at the level that its other rules have."""
COLOURS = {"runOnly": {"type": "rule", "values": COLOUR_RULES}}
_RUN = """async ([context, options]) => {
  const found = await axe.run(context ?? document, {resultTypes: ["violations"], ...options});
  return found.violations.map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}"""
_LOOKS = """() => {
  const styles = new Map(), grounds = new Map(), looks = new Set();
  const style = at => styles.get(at) ?? styles.set(at, getComputedStyle(at)).get(at);
  const ground = at => {
    if (!at) return "";
    if (!grounds.has(at)) {
      const {backgroundColor, backgroundImage, opacity} = style(at);
      const whole = /^rgb\\(/.test(backgroundColor) && backgroundImage === "none" && opacity === "1";
      const own = /, 0\\)$/.test(backgroundColor) ? "" : backgroundColor;
      const words = [own, backgroundImage === "none" ? "" : backgroundImage, opacity === "1" ? "" : opacity].join("");
      grounds.set(at, whole ? words : words + ground(at.parentElement));
    }
    return grounds.get(at);
  };
  const look = at => {
    if (!at.checkVisibility({visibilityProperty: true})) return;
    const {color, fontSize, fontWeight, textShadow} = style(at);
    const link = at.closest("a[href]"), around = link?.parentElement;
    const against = around ? [style(around).color, style(link).textDecorationLine, style(link).borderBottom] : [];
    looks.add([color, fontSize, fontWeight, textShadow, ground(at), ...against].join(" "));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), met = new Set();
  while (texts.nextNode()) {
    const at = texts.currentNode.parentElement;
    if (!met.has(at) && texts.currentNode.data.trim()) met.add(at), look(at);
  }
  document.querySelectorAll("input, select, textarea").forEach(look);
  return [...looks];
}"""
_THIN = """() => {
  document.querySelectorAll(".manual details ul").forEach(pages => pages.remove());
}"""
_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_SCROLLED = """() => [...document.querySelectorAll("body *")].filter(at => {
  const [wide, high] = [at.scrollWidth > at.clientWidth + 1, at.scrollHeight > at.clientHeight + 1];
  if (!wide && !high) return false;
  const {overflowX, overflowY} = getComputedStyle(at), scrolls = way => way === "auto" || way === "scroll";
  if (!(wide && scrolls(overflowX)) && !(high && scrolls(overflowY)) || !at.checkVisibility()) return false;
  return at.tabIndex < 0 && !at.querySelector("a[href], button, input, select, textarea, summary, [tabindex='0']");
}).map(at => at.cloneNode().outerHTML.slice(0, 200))"""


@cache
def _axe() -> str:
    from axe_playwright_python.sync_playwright import Axe

    return f"() => {{ if (!window.axe) {{ {Axe().axe_script} }} }}"


def violations(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """Return what axe finds on the open page, by rule and the first place."""
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN, [None, options or {}])
    return found


def thin(page: Page) -> None:
    """Take out of a page of the manual what is the same on all and seen whole on some: the list of all pages."""
    page.evaluate(_THIN)


def unreachable_by_keys(page: Page) -> list[str]:
    """Return what scrolls on the open page and cannot be reached by keys, as axe finds it too, only slower.

    Asked when the page has been painted: what a page does when its size changes has then been done.
    """
    page.evaluate(_PAINTED)
    return [f"scrolls without keys: {each}" for each in page.evaluate(_SCROLLED)]


class Looks:
    """The looks that axe has judged in one scheme: colour, size and weight of words, on what ground, in which text."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    def violations(self, page: Page, *, whole: bool) -> list[str]:
        """Return what axe finds: the colours where words have a look that was on no page before, `whole` all else too.

        From then on the looks are known. What a scheme changes are colours alone.
        """
        new = set(page.evaluate(_LOOKS)) - self.known
        self.known |= new
        if whole:
            return violations(page, None if new else {"rules": {rule: {"enabled": False} for rule in COLOUR_RULES}})
        return violations(page, COLOURS) if new else []
