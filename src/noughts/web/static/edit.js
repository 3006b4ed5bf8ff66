// A position set up by hand: the board takes marks in any order until the reader is done. It looks different meanwhile.
import { onPage, say, swap } from "./main.js";

const make = (tag, more, ...inside) => { const found = Object.assign(document.createElement(tag), more); found.append(...inside); return found; };
const cellsOf = (board) => [...board.querySelectorAll("[data-at]")];
const strokes = (board, mark) => board.querySelector("template").content.querySelector(`.${mark.toLowerCase()}`).cloneNode(true);
const label = (cell) => cell.getAttribute("aria-label") || cell.querySelector(".unseen")?.textContent || "";

const put = (board, cell, mark) => {
  const place = label(cell).split(/, (?:X|O|blank)/)[0];
  cell.replaceChildren(...(mark === "_" ? [] : [strokes(board, mark)]));
  cell.dataset.put = mark;
  cell.setAttribute("aria-label", `${place}, ${mark === "_" ? "blank" : mark}`);
};

// The position as addresses write it: rows joined by one dash, layers by two.
const slug = (board) => {
  const layers = [];
  for (const cell of cellsOf(board)) {
    const [row, , layer] = cell.dataset.at.split(",").map(Number);
    ((layers[layer] ??= [])[row] ??= []).push(cell.dataset.put);
  }
  return layers.map((rows) => rows.map((row) => row.join("")).join("-")).join("--");
};

const finish = async (board, error) => {
  const address = location.pathname.replace(/\/p\/.*/, `/p/${slug(board)}`);
  const reply = await fetch(address, { headers: { Accept: "text/html" } });
  if (reply.ok) { swap(address); return; }
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  error.textContent = page.querySelector("main p")?.textContent || "This position cannot be reached.";
};

const begin = (board) => {
  let chosen = "X";
  board.classList.add("editing");
  for (const cell of cellsOf(board)) put(board, cell, cell.querySelector(".mark.x") && !cell.querySelector(".ghost, .threat") ? "X" : cell.closest(".taken") ? "O" : "_");
  for (const part of board.querySelectorAll(".over, .under")) part.remove();
  const error = make("p", { className: "wrong", role: "alert" });
  const row = make("p", { className: "row edits" }, "Set up ");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "Set up a position");
  for (const [mark, words] of [["X", "X"], ["O", "O"], ["_", "blank"]]) {
    const button = make("button", { type: "button", className: "chip", textContent: words });
    button.addEventListener("click", () => { chosen = mark; pressed(); });
    button.dataset.mark = mark;
    row.append(button);
  }
  const pressed = () => { for (const each of row.querySelectorAll("[data-mark]")) each.setAttribute("aria-pressed", each.dataset.mark === chosen); };
  pressed();
  const done = make("button", { type: "button", className: "primary", textContent: "Done" });
  done.addEventListener("click", () => finish(board, error));
  const leave = make("button", { type: "button", textContent: "Cancel" });
  leave.addEventListener("click", () => swap(location.href, { push: false }));
  row.append(done, leave);
  board.before(row, error);
  const set = (event) => {
    const cell = event.target.closest("[data-at]");
    if (!cell) return;
    event.preventDefault();
    event.stopPropagation();
    put(board, cell, cell.dataset.put === chosen ? "_" : chosen);
    say(label(cell));
  };
  board.addEventListener("click", set, true);
  board.addEventListener("pointerover", (event) => event.stopPropagation(), true);
  board.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") set(event); }, true);
  say("Set up a position: choose a mark, then cells.");
};

onPage((main) => {
  const [board, row] = [main.querySelector("[data-board]"), main.querySelector("[data-keys-here]")];
  if (!board || !row || row.querySelector("#edit") || !/\/p\//.test(location.pathname)) return;
  const button = make("button", { type: "button", id: "edit", textContent: "Set up" });
  button.addEventListener("click", () => { button.remove(); begin(board); });
  row.prepend(button);
});
