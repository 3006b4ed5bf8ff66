// A machine of matchboxes to play against: its box lies open, its beads are drawn, and after the game they are added or taken.
import { onPage, say } from "./main.js";
import { Draws, Machine, PlayGraph, opponentOf, valueOf } from "./matchboxes.js";

const SHOWN = 10;
const make = (tag, given = {}, ...inside) => {
  const { data = {}, ...rest } = given, made = document.createElement(tag);
  for (const [name, value] of Object.entries(rest)) if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  Object.assign(made.dataset, data);
  made.append(...inside);
  return made;
};
const svg = (tag, given, ...inside) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
};
const many = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

const begin = async (place) => {
  const load = async (to) => (await fetch(to, { headers: { Accept: "application/json" } })).json();
  const record = await load(place.dataset.random);
  const machine = new Machine(record);
  const { geometry, names, player } = machine;
  const rival = player === "X" ? "O" : "X";
  const graphs = new Map();
  for (const name of ["random", "perfect"]) {
    const given = name === "random" ? record : await load(place.dataset[name]);
    graphs.set(name, new PlayGraph(machine, opponentOf(given.opponent, geometry, names)));
  }
  const seed = new Draws(crypto.getRandomValues(new Uint32Array(1))[0]);
  const [rows, columns] = [Number(place.dataset.rows), Number(place.dataset.columns)];
  const one = (id) => place.querySelector(`#${id}`);
  const bead = (cell, more = "") => { const { letter, colour } = record.colours[names[cell]]; return make("span", { class: `bead bead-${colour.split(" ")[0]} ${more}`, "aria-hidden": "true" }, letter); };
  const named = (cell) => { const { letter, colour } = record.colours[names[cell]]; return `${letter}, ${colour}`; };

  let games = 0, tally = { win: 0, draw: 0, loss: 0 };
  let [x, o, trail, last, drawn, waiting, busy] = [0, 0, [], null, null, 0, false];
  const history = [];

  const outcome = () => geometry.outcome(x, o);
  const resigned = () => trail.resigned;
  const over = () => outcome() || resigned();
  const turn = () => geometry.toMove(x, o);
  const hopeless = () => (machine.resigns ? "Its first box is empty, so it resigns every game: refill all boxes, or let empty boxes be refilled. " : "");
  const tell = (words) => { one("machine-text").textContent = words; say(words); };

  const mark = () => {
    const values = {};
    for (const [name, graph] of graphs) values[name] = graph.chances();
    history.push({ games, values });
  };

  const drawCurve = () => {
    const [wide, high, left, top] = [Math.min(640, one("curve").clientWidth || 640), 220, 40, 12], most = Math.max(10, games);
    const at = (count, value) => `${(left + (wide - left - 12) * count / most).toFixed(1)},${(top + (high - top - 30) * (1 - value) / 2).toFixed(1)}`;
    const picture = svg("svg", { class: "curve", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": one("worth").textContent });
    for (const value of [-1, -0.5, 0, 0.5, 1]) {
      const [, y] = at(0, value).split(",");
      picture.append(svg("line", { class: value ? "axis" : "axis zero", x1: left, x2: wide - 12, y1: y, y2: y }), svg("text", { x: left - 6, y: Number(y) + 4, "text-anchor": "end" }, String(value)));
    }
    for (const share of [0, 0.5, 1]) { const count = Math.round(most * share), [px] = at(count, 0).split(","); picture.append(svg("text", { x: px, y: high - 8, "text-anchor": share ? (share === 1 ? "end" : "middle") : "start" }, share ? `${count.toLocaleString("en")} games` : "0")); }
    for (const name of graphs.keys()) picture.append(svg("polyline", { class: name, points: history.map(({ games: count, values }) => at(count, valueOf(values[name], player))).join(" ") }));
    one("curve").replaceChildren(picture);
  };

  const drawWorth = () => {
    const { values } = history[history.length - 1];
    const said = [...graphs.keys()].map((name) => {
      const [wins, draws, whole] = values[name], losses = whole - wins - draws, mine = player === "X" ? [wins, draws, losses] : [losses, draws, wins];
      const [win, draw, loss] = mine.map((part) => (Number(part * 10000n / whole) / 100).toFixed(1));
      return `against ${name} it wins ${win}%, draws ${draw}% and loses ${loss}%`;
    });
    one("worth").textContent = `After ${many(games, "game")}: ${said.join("; ")}. The solid line is its value against random, the dashed one against perfect: chance to win less chance to lose. It holds ${many(machine.beads, "bead")}.`;
    drawCurve();
  };

  const drawBoard = () => {
    const result = outcome(), free = !over() && turn() === rival && !busy;
    const lined = geometry.lines.filter((line) => (x & line) === line || (o & line) === line).reduce((all, line) => all | line, 0);
    const layers = [];
    for (let first = 0; first < geometry.cells; first += rows * columns) {
      const grid = make("div", { class: "rows" });
      for (let row = 0; row < rows; row += 1) {
        const line = make("div", { class: "cells" });
        for (let column = 0; column < columns; column += 1) {
          const cell = first + row * columns + column, bit = 1 << cell, taken = x & bit ? "X" : o & bit ? "O" : "";
          const button = make("button", {
            type: "button", id: `at-${cell}`, "aria-label": `${names[cell]}, ${taken || "blank"}${cell === last ? ", last move" : ""}`, "aria-disabled": taken || !free ? "true" : undefined,
            class: `${taken.toLowerCase()}${cell === last ? " last" : ""}${lined & bit && result ? " lined" : ""}`,
          }, taken === "X" ? "✕" : taken === "O" ? "◯" : "");
          button.addEventListener("click", () => move(cell));
          line.append(button);
        }
        grid.append(line);
      }
      layers.push(grid);
    }
    const focused = document.activeElement?.id;
    one("table").replaceChildren(...layers);
    if (focused?.startsWith("at-")) document.getElementById(focused)?.focus({ preventScroll: true });
  };

  const drawBox = () => {
    const panel = one("box"), shown = over() || turn() === player ? null : drawn;
    const found = shown || (over() ? drawn : machine.boxAt(x, o));
    one("act").setAttribute("aria-disabled", String(!!over() || turn() !== player || busy)); // Not disabled: it keeps the focus.
    one("act").classList.toggle("primary", !over());
    one("fresh").classList.toggle("primary", !!over());
    if (!found) { panel.replaceChildren(make("p", { class: "soft" }, turn() === player && !over() ? "One cell is left: it plays there, without a box." : "Its box is opened when it has to move.")); return; }
    const { box, place: number } = found, chosen = found.chosen;
    const label = make("div", { class: "label-board" });
    label.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    for (let cell = 0; cell < geometry.cells; cell += 1) {
      const taken = box.x & (1 << cell) ? "X" : box.o & (1 << cell) ? "O" : "";
      const inside = taken ? (taken === "X" ? "✕" : "◯") : box.cells.includes(cell) ? bead(cell) : "";
      label.append(make("span", { class: `${taken.toLowerCase()}${chosen !== undefined && box.cells[chosen] === cell ? " drawn" : ""}`, "aria-hidden": "true" }, inside));
    }
    const whole = box.beads.reduce((all, count) => all + count, 0);
    const tray = make("ul", { class: "tray" });
    box.cells.forEach((cell, colour) => {
      const count = box.beads[colour], row = make("li", { class: colour === chosen ? "drawn" : undefined });
      row.append(make("span", { class: "count" }, `${named(cell)} (${names[cell]}): ${count}${colour === chosen ? ", drawn" : ""}`));
      for (let n = 0; n < Math.min(count, SHOWN); n += 1) row.append(bead(cell));
      if (count > SHOWN) row.append(make("span", { class: "small", "aria-hidden": "true" }, `+ ${count - SHOWN}`));
      tray.append(row);
    });
    panel.replaceChildren(make("h3", {}, `Box ${number + 1}, turn ${box.turn} of ${player}`), label, tray, make("p", { class: "small soft" }, whole ? `${many(whole, "bead")}.${place.dataset.alike ? ` The label may show the board ${place.dataset.alike}.` : ""}` : "This box is empty."));
  };

  const drawAll = () => { drawBoard(); drawBox(); };

  const finish = () => {
    const result = resigned() ? rival : outcome();
    games += 1;
    tally[result === player ? "win" : result === "draw" ? "draw" : "loss"] += 1;
    const changes = machine.learn(trail, result);
    mark();
    const words = result === "draw" ? "A draw" : result === player ? "The machine wins" : resigned() ? "Its box is empty, and it resigns: you win" : "You win";
    const beads = !changes.length ? "No bead was drawn, so the boxes stay as they are" : `Beads: ${machine.reward(result) >= 0 ? `${machine.reward(result)} added to` : `${-machine.reward(result)} taken from`} ${many(changes.length, "box", "boxes")}`;
    tell(`${words}. ${beads}. ${hopeless()}Games so far: it won ${tally.win}, drew ${tally.draw}, lost ${tally.loss}.`);
    const rowsOf = changes.map(({ place: number, colour, before, after }) => {
      const cell = machine.boxes[number].cells[colour], change = after[colour] - before[colour];
      return make("tr", {}, make("th", { scope: "row", class: "w" }, `Box ${number + 1}`), make("td", { class: "w" }, bead(cell), ` ${named(cell)} (${names[cell]})`), make("td", {}, String(before[colour])),
        make("td", { class: change < 0 ? "minus" : "plus" }, change < 0 ? `−${-change}` : `+${change}`), make("td", {}, String(after[colour])));
    });
    const head = make("tr", {}, ...["box", "bead drawn", "before", "change", "now"].map((name, i) => make("th", { scope: "col", class: i < 2 ? "w" : undefined }, name)));
    one("changes").replaceChildren(...(rowsOf.length ? [make("h3", {}, "What this game did to the boxes"), make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rowsOf)))] : []));
    drawWorth();
    drawAll();
  };

  const step = (cell) => { [x, o] = geometry.play(x, o, cell); last = cell; };

  const answer = () => {
    clearTimeout(waiting);
    if (over() || turn() !== player || busy) return;
    const found = machine.boxAt(x, o);
    if (!found) {
      step(geometry.blanks(x, o)[0]);
      if (!over()) drawn = null;
    } else {
      if (!found.box.beads.some(Boolean)) { trail.resigned = true; drawn = found; finish(); return; }
      const chosen = seed.pick(found.box.beads);
      trail.push([found.place, chosen]);
      step(found.symmetry.indexOf(found.box.cells[chosen]));
      drawn = { ...found, chosen };
    }
    if (over()) { finish(); return; }
    tell(`${drawn ? `It opened box ${drawn.place + 1}, drew ${named(drawn.box.cells[drawn.chosen])} and played` : "It played"} ${names[last]}. Your move: you are ${rival}.`);
    drawAll();
  };

  const go = () => {
    drawAll();
    if (over() || turn() !== player) return;
    const found = machine.boxAt(x, o);
    tell(found ? `Box ${found.place + 1} is open. ${one("itself").checked ? "It draws a bead." : "Draw a bead."}` : "One cell is left for it.");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (one("itself").checked) waiting = setTimeout(answer, still ? 0 : 900);
  };

  const move = (cell) => {
    if (over() || turn() !== rival || busy || (x | o) & (1 << cell)) return;
    step(cell);
    if (over()) finish(); else go();
  };

  const fresh = () => {
    clearTimeout(waiting);
    [x, o, trail, last, drawn] = [0, 0, [], null, null];
    one("changes").replaceChildren();
    if (turn() === rival) tell(`A new game. Your move: you are ${rival}.`);
    go();
  };

  const teach = async (name) => {
    if (busy) return;
    fresh();
    clearTimeout(waiting);
    busy = true;
    drawAll();
    const graph = graphs.get(name), before = { ...tally };
    for (let n = 1; n <= 100; n += 1) {
      const { outcome: result, trail: opened } = graph.played(seed);
      machine.learn(opened, result);
      games += 1;
      tally[result === player ? "win" : result === "draw" ? "draw" : "loss"] += 1;
      if (n % 5 === 0) { mark(); drawWorth(); await new Promise((done) => { setTimeout(done, 0); }); if (!place.isConnected) return; }
    }
    busy = false;
    const words = `100 games against ${name}: it won ${tally.win - before.win}, drew ${tally.draw - before.draw} and lost ${tally.loss - before.loss}.`;
    go();
    clearTimeout(waiting);
    tell(`${words} ${hopeless() || (turn() === player ? "Draw a bead to play against it." : `Your move: you are ${rival}.`)}`);
  };

  one("act").addEventListener("click", answer);
  one("table").addEventListener("keydown", (event) => {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key], at = Number(event.target.id?.slice(3));
    if (!by || !event.target.id?.startsWith("at-")) return;
    event.preventDefault();
    const layer = Math.floor(at / (rows * columns)), [row, column] = [Math.floor(at / columns) % rows + by[0], at % columns + by[1]];
    if (row >= 0 && row < rows && column >= 0 && column < columns) one(`at-${layer * rows * columns + row * columns + column}`).focus();
  });
  one("when-empty").addEventListener("change", ({ target }) => {
    machine.rules = { ...machine.rules, empty: target.value };
    if (target.value !== "resign") machine.fillEmpty();
    drawWorth();
    fresh();
  });
  one("fresh").addEventListener("click", fresh);
  one("forget").addEventListener("click", () => { machine.restart(); games = 0; tally = { win: 0, draw: 0, loss: 0 }; history.length = 0; mark(); drawWorth(); fresh(); });
  for (const button of place.querySelectorAll("[data-teach]")) button.addEventListener("click", () => teach(button.dataset.teach));
  machine.restart();
  mark();
  drawWorth();
  place.hidden = false;
  fresh();
};

onPage((main) => {
  const place = main.querySelector("#menace");
  if (place?.hidden) begin(place).catch(() => { place.hidden = true; place.classList.add("failed"); });
});
