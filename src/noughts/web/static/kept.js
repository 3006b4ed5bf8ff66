// The reader's puzzles: the days of the daily puzzle, and what was missed, to ask again. They stay in this browser.
import { onPage, say } from "./main.js";

const NAME = "noughts-puzzles";
const PAUSES = [1, 3, 7];
const DAY = 86_400_000;
const today = () => Math.floor(Date.now() / DAY);
const read = () => {
  try { return { days: [], missed: {}, solved: 0, ...JSON.parse(localStorage.getItem(NAME) || "{}") }; } catch { return null; }
};
const write = (kept) => { try { localStorage.setItem(NAME, JSON.stringify(kept)); } catch { /* a browser that keeps nothing */ } };

// A miss is asked again after a day; each right answer makes the pause longer, until it is known.
const record = (puzzle) => {
  const kept = read();
  if (!kept || puzzle.dataset.recorded) return;
  puzzle.dataset.recorded = "1";
  const { key, to, right, daily } = puzzle.dataset;
  const before = kept.missed[key];
  if (!right) kept.missed[key] = { to, due: today() + PAUSES[0], times: 0 };
  else if (before && before.due <= today()) {
    if (before.times + 1 < PAUSES.length) kept.missed[key] = { to, due: today() + PAUSES[before.times + 1], times: before.times + 1 };
    else delete kept.missed[key];
  }
  if (right) {
    kept.solved += 1;
    const day = Math.floor(Date.parse(daily) / DAY);
    if (daily && !kept.days.includes(day)) kept.days = [...kept.days, day].slice(-400);
  }
  write(kept);
};

// What another browser has exported, or null: only days, numbers, and addresses of this site are taken from a file.
const checked = (text) => {
  try {
    const { days, missed, solved } = JSON.parse(text);
    const isWhole = (number) => Number.isSafeInteger(number) && number >= 0;
    const isMiss = (each) => /^\/(?!\/)/.test(each.to) && isWhole(each.due) && isWhole(each.times) && each.times < PAUSES.length;
    const found = Object.entries(missed).map(([key, { to, due, times }]) => [key, { to, due, times }]);
    return days.every(isWhole) && isWhole(solved) && found.every(([, each]) => isMiss(each)) ? { days, missed: Object.fromEntries(found), solved } : null;
  } catch { return null; }
};
const merged = (here, there) => ({
  days: [...new Set([...here.days, ...there.days])].sort((one, other) => one - other).slice(-400),
  missed: { ...there.missed, ...here.missed }, solved: Math.max(here.solved, there.solved),
});

const streak = (days) => {
  let [length, day] = [0, days.includes(today()) ? today() : today() - 1];
  while (days.includes(day)) { length += 1; day -= 1; }
  return length;
};

const button = (words, does, id) => {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: words, id });
  made.addEventListener("click", does);
  return made;
};

const show = (place) => {
  const kept = read();
  const missed = Object.values(kept?.missed || {});
  place.hidden = !kept || !(kept.solved || missed.length);
  if (place.hidden) { place.replaceChildren(); return; }
  const due = missed.filter((each) => each.due <= today());
  const days = streak(kept.days);
  const words = document.createElement("span");
  words.textContent = [
    `${days} ${days === 1 ? "day" : "days"} in a row`, `${kept.solved} solved`,
    due.length ? `${due.length} missed, to try again today` : missed.length ? `${missed.length} missed, to try again later` : "",
  ].filter(Boolean).join(" · ");
  const parts = [words];
  if (due.length) parts.push(Object.assign(document.createElement("a"), { className: "button", href: due[0].to, textContent: "Try a missed one", id: "missed" }));
  if (place.dataset.kept === "whole") {
    parts.push(button("Export", () => {
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" })), download: "noughts-puzzles.json" });
      link.click();
      URL.revokeObjectURL(link.href);
    }, "kept-export"), button("Erase", () => { localStorage.removeItem(NAME); show(place); say("Erased."); }, "kept-erase"));
  }
  place.replaceChildren(...parts);
};

const takeFrom = async (file) => {
  const found = checked(await file.text());
  if (found) write(merged(read(), found));
  for (const place of document.querySelectorAll("[data-kept]")) show(place);
  return found ? "Imported." : "This file was not exported here.";
};
const offer = (place) => {
  const file = Object.assign(document.createElement("input"), { type: "file", accept: "application/json", hidden: true, id: "kept-file" });
  const imports = button("Import what I solved and missed", () => file.click(), "kept-import");
  file.addEventListener("change", async () => { const words = await takeFrom(file.files[0]); imports.textContent = words; say(words); });
  place.replaceChildren(imports, file);
};

onPage((main) => {
  for (const puzzle of main.querySelectorAll("[data-key]")) record(puzzle);
  for (const place of main.querySelectorAll("[data-kept]")) show(place);
  for (const place of main.querySelectorAll("[data-imports]")) if (read()) offer(place);
});
