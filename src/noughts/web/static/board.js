// Keys and buttons for boards: one stop for Tab, arrows to move, Enter to play, letters for the rest.
import { onPage, say, swap, swapped } from "./main.js";

// Each key: its name, what it does, and whether it does that on this board now.
const always = () => true;
const leads = (key) => (board) => Boolean(board.dataset[`${key}To`]);
const KEYS = [
  ["Arrows, Home, End", "move over the board", always],
  ["Page up, Page down", "to another layer", (board) => board.querySelectorAll(".layer").length > 1],
  ["Enter", "play there, or ask", (board) => board.querySelector(".blank button[data-to]")],
  ["1 to 9", "drop a mark into that column", (board) => board.querySelector(".lands")],
  ["x, o", "choose the mark to place", leads("x")],
  ["Space", "play the best move", leads("best")],
  ["u", "take back a move", (board) => leads("undo")(board) || swapped()],
  ["r", "play it again", leads("redo")],
  ["Left and right, beside the board", "step through the game", (board) => leads("redo")(board) || leads("undo")(board)],
  ["f", "turn or flip the board", leads("turn")],
  ["s", "say the position", always],
  ["b", "the board alone, as large as the screen; again for the whole page", always],
  ["h", "a hint", (board) => board.dataset.hint || leads("hint")(board)],
  ["?", "these keys", always],
];
// Whether keys of one character do anything: the reader turns them off in the list of keys, until the page is left.
let letters = true;
const boards = () => [...document.querySelectorAll("[data-board]")];
const places = (board) => [...board.querySelectorAll("[data-at]")];
const at = (cell) => cell.dataset.at.split(",").map(Number);

// Links of blank cells become buttons that do the same.
const upgrade = (board) => {
  for (const link of board.querySelectorAll("a[data-at]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.id = link.id;
    button.dataset.at = link.dataset.at;
    button.dataset.to = link.href;
    button.className = link.className;
    for (const name of ["aria-label", "title"]) if (link.hasAttribute(name)) button.setAttribute(name, link.getAttribute(name));
    button.append(...link.childNodes);
    link.replaceWith(button);
  }
};

// The position after a move: where the reader points or the focus is, and for a link in a list the position it leads to.
const markIn = (cell) => cell.querySelector(":scope > .mark")?.classList.contains("x") ? "X" : cell.querySelector(":scope > .mark") ? "O" : ".";
const ghost = (cell, mark) => {
  cell.querySelector(".ghost")?.remove();
  cell.classList.toggle("shown", Boolean(mark));
  if (!mark) return;
  const added = Object.assign(document.createElement("span"), { className: "ghost" });
  added.setAttribute("aria-hidden", "true");
  added.append(cell.closest("[data-board]").querySelector("template").content.querySelector(`.${mark.toLowerCase()}`).cloneNode(true));
  cell.append(added);
};
const clear = (board) => {
  for (const cell of board.querySelectorAll(".shown")) ghost(cell, "");
  for (const cell of board.querySelectorAll(".gone")) cell.classList.remove("gone");
  for (const line of board.querySelectorAll(".through.lit")) line.classList.remove("lit");
};
const landing = (board, cell) => [...board.querySelectorAll(".lands [data-to]")].find((each) => each.dataset.to === cell.dataset.to) || cell;
const pointAt = (board, cell) => {
  clear(board);
  if (!cell) return;
  const lands = landing(board, cell);
  if (cell.dataset.to && cell.closest(".blank") && board.dataset.mark && !cell.querySelector(".asks")) ghost(lands, board.dataset.mark);
  const cells = places(board), number = String(cells.indexOf(lands));
  for (const line of board.querySelectorAll(".through")) {
    const on = line.dataset.cells.split(" "), marks = on.map((each) => markIn(cells[each]));
    line.classList.toggle("lit", on.includes(number) && !(marks.includes("X") && marks.includes("O")));
  }
};
const lookAhead = (text) => {
  const board = boards()[0];
  if (!board) return;
  clear(board);
  places(board).forEach((cell, at) => {
    const now = markIn(cell);
    if (text && now !== "." && text[at] !== now) cell.classList.add("gone");
    if (text && now === "." && text[at] !== ".") ghost(cell, text[at]);
  });
};
let played = "";
const play = (button) => {
  const board = button.closest("[data-board]");
  if (button.closest(".blank") && board.dataset.mark && !button.querySelector(".asks")) {
    const lands = landing(board, button);
    clear(board);
    ghost(lands, board.dataset.mark);
    lands.classList.add("played");
    played = lands.id;
  }
  swap(button.dataset.to);
};

const rove = (board, chosen) => {
  for (const cell of places(board)) cell.tabIndex = cell === chosen ? 0 : -1;
};

const go = (address, first) => { if (address) swap(address, { first }); return Boolean(address); };

const moveBy = (board, cell, key) => {
  const cells = places(board);
  const [row, column, layer] = at(cell);
  const found = (r, c, l) => cells.find((each) => each.dataset.at === `${r},${c},${l}`);
  const layers = Math.max(...cells.map((each) => at(each)[2])) + 1;
  const columns = Math.max(...cells.map((each) => at(each)[1])) + 1;
  const to = {
    ArrowUp: () => found(row - 1, column, layer),
    ArrowDown: () => found(row + 1, column, layer),
    ArrowLeft: () => found(row, column - 1, layer) || found(row, columns - 1, layer - 1),
    ArrowRight: () => found(row, column + 1, layer) || found(row, 0, layer + 1),
    PageUp: () => found(row, column, Math.max(layer - 1, 0)),
    PageDown: () => found(row, column, Math.min(layer + 1, layers - 1)),
    Home: () => found(row, 0, layer),
    End: () => found(row, columns - 1, layer),
  }[key]?.();
  if (to) { rove(board, to); to.focus(); }
};

const help = (board) => {
  document.querySelector("dialog.keys")?.remove();
  const dialog = Object.assign(document.createElement("dialog"), { className: "keys" });
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = Object.assign(document.createElement("h2"), { id: "keys-title", textContent: "Keys" });
  const list = Object.assign(document.createElement("dl"), { className: "facts" });
  for (const [key, does] of KEYS.filter(([, , works]) => works(board))) {
    const term = document.createElement("dt");
    term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
    list.append(term, Object.assign(document.createElement("dd"), { textContent: does }));
  }
  const choice = document.createElement("label");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", id: "letter-keys", checked: letters });
  box.addEventListener("change", () => { letters = box.checked; });
  choice.append(box, " Space, letters and ? do this until I leave the page");
  const choices = Object.assign(document.createElement("p"), { className: "choice" });
  choices.append(choice);
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close" });
  close.addEventListener("click", () => dialog.close());
  dialog.append(title, list, choices, close);
  document.body.append(dialog);
  dialog.showModal();
};

// The board alone, for a projector: kept while the tab is open.
const alone = (on) => {
  document.documentElement.classList.toggle("alone", on);
  try { sessionStorage.setItem("alone", on ? "1" : ""); } catch { /* without storage until the page is left */ }
  if (on) boards()[0]?.querySelector("[data-at][tabindex='0']")?.focus({ preventScroll: true });
};

const does = {
  u: (board) => go(board.dataset.undoTo, "Taken back.") || (swapped() ? (history.back(), true) : say("There is nothing to take back.")),
  r: (board) => go(board.dataset.redoTo) || say("There is nothing to play again."),
  f: (board) => go(board.dataset.turnTo) || say(board.dataset.noTurn || "The board cannot be turned here."),
  h: (board) => (board.dataset.hint ? say(board.dataset.hint) : go(board.dataset.hintTo) || say(board.dataset.noHint || "This board has no hint.")),
  x: (board) => go(board.dataset.xTo, "X is chosen.") || say("The mark cannot be chosen here."),
  o: (board) => go(board.dataset.oTo, "O is chosen.") || say("The mark cannot be chosen here."),
  s: (board) => say(board.dataset.said),
  b: () => alone(!document.documentElement.classList.contains("alone")),
  " ": (board) => go(board.dataset.bestTo) || say(board.dataset.noBest || "The best move cannot be played for you here."),
  "?": (board) => help(board),
};

// A new game without a seed gets one by lot, in its links, or in the address of the page where an opponent has begun.
const seeded = (address, seed) => {
  const url = new URL(address, location.href);
  url.searchParams.set("seed", seed);
  url.searchParams.sort();
  return url.href;
};
const draw = () => {
  const seed = String(1 + Math.floor(Math.random() * 999999));
  for (const link of document.querySelectorAll("#main a[data-seed]")) link.href = seeded(link.href, seed);
  const game = document.querySelector("[data-draw]");
  if (game?.dataset.draw === "page") {
    history.replaceState(null, "", seeded(location.href, seed));
    swap(location.href, { push: false });
  }
  if (game?.dataset.draw === "links") for (const link of game.querySelectorAll("a[data-at]")) link.href = seeded(link.href, seed);
};

const setUp = () => {
  draw();
  try { document.documentElement.classList.toggle("alone", sessionStorage.getItem("alone") === "1"); } catch { /* no storage */ }
  document.querySelector("[data-result]")?.scrollIntoView({ block: "nearest" });
  for (const board of boards()) {
    if (board.dataset.ready) continue;
    board.dataset.ready = "1";
    const since = performance.now();
    upgrade(board);
    rove(board, board.querySelector(".blank button[data-at]") || places(board)[0]);
    const mine = played && document.getElementById(played)?.closest(".cell.last");
    if (mine) mine.classList.add("still");
    played = "";
    board.addEventListener("click", (event) => {
      const copied = event.target.closest("[data-copy]")?.dataset.copy;
      const button = copied ? board.querySelector(`button[data-at="${copied}"]`) : event.target.closest("button[data-to]");
      if (!button) return;
      // A second press on a mark that has just been put does not take it back.
      if (button.classList.contains("back") && performance.now() - since < 700) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) open(button.dataset.to);
      else play(button);
    });
    board.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") pointAt(board, event.target.closest("[data-at]")); });
    board.addEventListener("pointerleave", () => clear(board));
    board.addEventListener("focusout", () => clear(board));
    board.addEventListener("auxclick", (event) => {
      const button = event.target.closest("button[data-to]");
      if (button && event.button === 1) open(button.dataset.to);
    });
    board.addEventListener("focusin", (event) => {
      const cell = event.target.closest("[data-at]");
      if (!cell) return;
      rove(board, cell);
      if (cell.matches(":focus-visible")) pointAt(board, cell);
    });
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Keys", className: "keys-button" });
    button.addEventListener("click", () => help(board));
    const large = Object.assign(document.createElement("button"), { type: "button", textContent: "Large board", className: "large-button" });
    large.addEventListener("click", () => does.b());
    const row = document.querySelector("[data-keys-here]");
    if (!row) board.append(Object.assign(document.createElement("p"), { className: "row noprint" }));
    (row || board.lastElementChild).append(large, button);
  }
};

// Keys are the board's while it has the focus or nothing has: never those of a field, a link or another button.
const boardOf = (target) => {
  const board = target.closest?.("[data-board]");
  if (board) return target.closest("[data-at]") ? board : null;
  return target === document.body || target.id === "main" ? boards()[0] : null;
};

// A link in a list of moves shows on the board the position it leads to.
for (const [enters, leaves] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(enters, (event) => { const link = event.target.closest?.("[data-shows]"); if (link && event.pointerType !== "touch") lookAhead(link.dataset.shows); });
  document.addEventListener(leaves, (event) => { if (event.target.closest?.("[data-shows]")) lookAhead(""); });
}

// Beside the board, left and right step through a game: on the page itself or on a link of its list of moves.
const steps = (event) => {
  const key = { ArrowLeft: "undo", ArrowRight: "redo" }[event.key];
  const board = document.querySelector("[data-story] [data-board]");
  if (!key || !board || !(event.target === document.body || event.target.id === "main" || event.target.closest("[data-shows]"))) return false;
  if (!board.dataset[`${key}To`]) return false;
  event.preventDefault();
  return go(board.dataset[`${key}To`]);
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (steps(event)) return;
  const board = boardOf(event.target);
  if (!board) return;
  const cell = event.target.closest("[data-at]");
  if (cell && /^(Arrow|Page|Home|End)/.test(event.key)) {
    event.preventDefault();
    moveBy(board, cell, event.key);
  } else if (letters && /^[1-9]$/.test(event.key) && board.querySelector(".lands")) {
    const column = String(event.key - 1);
    const drop = [...board.querySelectorAll(".lands [data-to]")].find((each) => each.dataset.at.split(",")[1] === column);
    go(drop?.dataset.to) || say("That column takes no mark.");
  } else if (letters && Object.hasOwn(does, event.key) && (cell || event.key !== " ")) {
    event.preventDefault();
    does[event.key](board);
  }
});
// A space that plays the best move is not a press of the button under it.
document.addEventListener("keyup", (event) => {
  if (letters && event.key === " " && event.target.closest?.("[data-board] [data-at]")) event.preventDefault();
});

onPage(setUp);
