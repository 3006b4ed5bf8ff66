// Matchboxes that learn, in whole numbers only: the same games as the command line plays from the same seed.
// Nothing here knows of a page: a record (the data of the page, or of `noughts menace --format json`) is all it needs.

const turned = (word, by) => ((word << by) | (word >>> (32 - by))) >>> 0;
const splitmix = (state) => {
  let mixed = state >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> 0;
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

// xoshiro128** of D. Blackman and S. Vigna.
export class Draws {
  constructor(seed) { this.state = [1, 2, 3, 4].map((n) => splitmix((seed + Math.imul(n, 0x9e3779b9)) >>> 0)); }

  word() {
    let [a, b, c, d] = this.state;
    const found = Math.imul(turned(Math.imul(b, 5) >>> 0, 7), 9) >>> 0;
    const shifted = (b << 9) >>> 0;
    c ^= a;
    d ^= b;
    this.state = [(a ^ d) >>> 0, (b ^ c) >>> 0, (c ^ shifted) >>> 0, turned(d >>> 0, 11)];
    return found;
  }

  below(whole) {
    const fair = 2 ** 32 - (2 ** 32 % whole);
    for (;;) { const number = this.word(); if (number < fair) return number % whole; }
  }

  pick(weights) {
    if (weights.length === 1) return 0;
    let number = this.below(weights.reduce((a, b) => a + b, 0));
    return weights.findIndex((weight) => (number -= weight) < 0);
  }
}

const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
const gcd32 = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
const keyOf = (x, o) => `${x},${o}`;
const other = (player) => (player === "X" ? "O" : "X");

// The board: positions are pairs of sets of cells, as bits.
export class Geometry {
  constructor({ cells, lines, misere, symmetries }) {
    Object.assign(this, { cells, misere, symmetries, full: 2 ** cells - 1 });
    this.lines = lines.map((line) => line.reduce((mask, cell) => mask | (1 << cell), 0));
  }

  image(mask, symmetry) { let found = 0; for (let cell = 0; cell < this.cells; cell += 1) if (mask & (1 << cell)) found |= 1 << symmetry[cell]; return found; }

  // The least image, and the first symmetry that leads there.
  canonical(x, o) {
    let best = null;
    for (const symmetry of this.symmetries) {
      const [a, b] = [this.image(x, symmetry), this.image(o, symmetry)];
      if (!best || a < best.x || (a === best.x && b < best.o)) best = { x: a, o: b, symmetry };
    }
    return best;
  }

  read(text) {
    let [x, o, cell] = [0, 0, 0];
    for (const mark of text) {
      if (mark === "X") x |= 1 << cell;
      if (mark === "O") o |= 1 << cell;
      if ("XO.".includes(mark)) cell += 1;
    }
    return [x, o];
  }

  toMove(x, o) { const count = (mask) => { let n = 0; for (; mask; mask &= mask - 1) n += 1; return n; }; return count(x) === count(o) ? "X" : "O"; }

  outcome(x, o) {
    for (const [player, marks] of [["X", x], ["O", o]])
      if (this.lines.some((line) => (marks & line) === line)) return this.misere ? other(player) : player;
    return (x | o) === this.full ? "draw" : null;
  }

  blanks(x, o) { return [...Array(this.cells).keys()].filter((cell) => !((x | o) & (1 << cell))); }

  play(x, o, cell) { return this.toMove(x, o) === "X" ? [x | (1 << cell), o] : [x, o | (1 << cell)]; }
}

// How an opponent moves: for each class its cells in order, with whole weights.
export const opponentOf = (record, geometry, names) => {
  const found = new Map();
  for (const [text, moves] of Object.entries(record)) {
    const parts = Object.entries(moves).map(([cell, chance]) => [names.indexOf(cell), ...chance.split("/").map(Number)]);
    const whole = parts.reduce((all, [, , under = 1]) => all / gcd32(all, under) * under, 1);
    found.set(keyOf(...geometry.read(text)), { cells: parts.map(([cell]) => cell), weights: parts.map(([, over, under = 1]) => over * whole / under) });
  }
  return found;
};

export class Machine {
  constructor(record) {
    this.geometry = new Geometry(record.geometry);
    this.names = Object.keys(record.colours);
    this.player = record.as;
    this.rules = record.rules;
    this.boxes = record.boxes.map((box) => {
      const [x, o] = this.geometry.read(box.position);
      const cells = Object.keys(box.beads).map((name) => this.names.indexOf(name));
      return { number: box.number, turn: box.turn, x, o, cells, start: cells.map(() => box.start), beads: Object.values(box.beads) };
    });
    this.places = new Map(this.boxes.map((box, place) => [keyOf(box.x, box.o), place]));
  }

  restart() { for (const box of this.boxes) box.beads = [...box.start]; }

  // Fill the boxes that are empty as at the start.
  fillEmpty() { for (const box of this.boxes) if (!box.beads.some(Boolean)) box.beads = [...box.start]; }

  // Whether its first move is to resign.
  get resigns() { const found = this.boxAt(0, 0); return this.player === "X" && !!found && !found.box.beads.some(Boolean); }

  get beads() { return this.boxes.reduce((all, box) => all + box.beads.reduce((a, b) => a + b, 0), 0); }

  // The box of a position, and the symmetry from the position to its label; no box where there is nothing to choose.
  boxAt(x, o) {
    const { x: a, o: b, symmetry } = this.geometry.canonical(x, o);
    const place = this.places.get(keyOf(a, b));
    return place === undefined ? null : { place, box: this.boxes[place], symmetry };
  }

  reward(outcome) { return outcome === "draw" ? this.rules.draw : outcome === this.player ? this.rules.win : this.rules.loss; }

  // Put beads into the boxes that were opened, or take them; return what changed.
  learn(trail, outcome) {
    return trail.map(([place, colour]) => {
      const box = this.boxes[place], before = [...box.beads];
      box.beads[colour] = Math.max(0, box.beads[colour] + this.reward(outcome));
      if (!box.beads.some(Boolean)) {
        if (this.rules.empty === "refill") box.beads = [...box.start];
        if (this.rules.empty === "keep") box.beads[colour] = 1;
      }
      return { place, colour, before, after: [...box.beads] };
    });
  }
}

// All play of a machine against an opponent: places are classes, in order of ply.
export class PlayGraph {
  constructor(machine, opponent) {
    const geometry = machine.geometry;
    Object.assign(this, { machine, steps: [] });
    let layer = new Map([[keyOf(0, 0), [0, 0]]]);
    while (layer.size) {
      const base = this.steps.length + layer.size, following = new Map();
      for (const [x, o] of layer.values()) {
        const mover = geometry.toMove(x, o), outcome = geometry.outcome(x, o);
        if (outcome) { this.steps.push({ mover, outcome }); continue; }
        let place = null, cells, weights = null;
        if (mover === machine.player) {
          place = machine.places.get(keyOf(x, o)) ?? null;
          if (place === null) { cells = geometry.blanks(x, o); weights = [1]; } else cells = machine.boxes[place].cells;
        } else ({ cells, weights } = opponent.get(keyOf(x, o)));
        const after = cells.map((cell) => {
          const then = geometry.canonical(...geometry.play(x, o, cell)), key = keyOf(then.x, then.o);
          if (!following.has(key)) following.set(key, { number: base + following.size, at: [then.x, then.o] });
          return following.get(key).number;
        });
        this.steps.push({ mover, outcome: null, place, weights, after });
      }
      layer = new Map([...following].map(([key, { at }]) => [key, at]));
    }
  }

  played(draws) {
    const trail = [];
    let step = this.steps[0];
    while (!step.outcome) {
      const weights = step.place === null ? step.weights : this.machine.boxes[step.place].beads;
      if (!weights.some(Boolean)) return { outcome: other(step.mover), trail };
      const chosen = draws.pick(weights);
      if (step.place !== null) trail.push([step.place, chosen]);
      step = this.steps[step.after[chosen]];
    }
    return { outcome: step.outcome, trail };
  }

  // The exact chances of a game with the beads as they are: what X wins and what is drawn, out of a whole.
  chances() {
    const sure = { X: [1n, 0n, 1n], draw: [0n, 1n, 1n], O: [0n, 0n, 1n] };
    const known = new Array(this.steps.length);
    for (let number = this.steps.length - 1; number >= 0; number -= 1) {
      const { mover, outcome, place, weights, after } = this.steps[number];
      if (outcome) { known[number] = sure[outcome]; continue; }
      const held = place === null ? weights : this.machine.boxes[place].beads;
      const parts = held.map((weight, i) => [BigInt(weight), after[i]]).filter(([weight]) => weight);
      if (!parts.length) { known[number] = sure[other(mover)]; continue; }
      if (parts.length === 1) { known[number] = known[parts[0][1]]; continue; }
      let common = 1n, x = 0n, draw = 0n, all = 0n;
      for (const [, then] of parts) { const under = known[then][2]; common = common / gcd(common, under) * under; }
      for (const [weight, then] of parts) {
        const [wins, draws, under] = known[then], times = weight * (common / under);
        x += wins * times;
        draw += draws * times;
        all += weight;
      }
      const whole = common * all, shared = gcd(gcd(x, draw), whole);
      known[number] = [x / shared, draw / shared, whole / shared];
    }
    return known[0];
  }
}

// The chance of a machine to win less that to lose, as a number to draw.
export const valueOf = ([x, draw, whole], player) => {
  const value = Number((2n * x + draw - whole) * 1000000n / whole) / 1000000;
  return player === "X" ? value : -value;
};
