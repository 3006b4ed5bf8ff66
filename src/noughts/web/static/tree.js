// A tree of boards: drag, wheel and pinch move and zoom it, branches fold, arrows walk, and the same board is lit elsewhere.
import { onPage, say } from "./main.js";

const LEAST = 0.03, MOST = 4;

const grow = (view, tools) => {
  const svg = view.querySelector("svg.live-tree");
  if (!svg || view.classList.contains("ready")) return;
  const [wide, high] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  const nodes = new Map([...svg.querySelectorAll(".node")].map((node) => [node.dataset.node, node]));
  const ways = new Map([...svg.querySelectorAll(".way")].map((way) => [way.dataset.to, way]));
  const below = new Map(), alike = new Map();
  const add = (map, key, value) => { if (!map.has(key)) map.set(key, []); map.get(key).push(value); };
  for (const [id, node] of nodes) {
    if (node.dataset.above !== undefined) add(below, node.dataset.above, id);
    for (const other of (node.dataset.same || "").split(" ").filter(Boolean)) { add(alike, id, other); add(alike, other, id); }
  }
  const link = (id) => nodes.get(id)?.querySelector(":scope > a");
  const left = (id) => nodes.get(id).getBoundingClientRect().left;
  let scale = 1;

  const zoom = (to, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    const next = Math.min(MOST, Math.max(LEAST, to));
    const px = (view.scrollLeft + x) / scale, py = (view.scrollTop + y) / scale;
    svg.setAttribute("width", wide * next);
    svg.setAttribute("height", high * next);
    scale = next;
    view.scrollLeft = px * next - x;
    view.scrollTop = py * next - y;
  };
  const whole = () => { zoom(Math.min(view.clientWidth / wide, 1)); view.scrollTop = 0; };
  const show = (id) => nodes.get(id).scrollIntoView({ block: "nearest", inline: "nearest" });

  // Folding: what hangs below a board goes away, with the ways to it.
  const away = (id, gone) => {
    for (const child of below.get(id) || []) {
      nodes.get(child).classList.toggle("away", gone);
      ways.get(child)?.classList.toggle("away", gone);
      away(child, gone || nodes.get(child).classList.contains("folded"));
    }
  };
  const under = (id) => (below.get(id) || []).reduce((sum, child) => sum + 1 + under(child), 0);
  const fold = (id, gone = !nodes.get(id).classList.contains("folded")) => {
    if (!below.has(id)) return;
    nodes.get(id).classList.toggle("folded", gone);
    away(id, gone);
    say(gone ? `folded: ${under(id)} boards put away` : "unfolded");
  };

  // Light: a board, the same board where it is drawn, and the way from the root.
  const light = (id) => {
    for (const lit of svg.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (id === undefined) return;
    for (const other of alike.get(id) || []) nodes.get(other)?.classList.add("lit");
    for (let at = id; at !== undefined; at = nodes.get(at)?.dataset.above) ways.get(at)?.classList.add("lit");
  };
  const idOf = (target) => target.closest?.(".node")?.dataset.node;

  // One stop of the tab key; arrows walk along the branches.
  let current = nodes.keys().next().value;
  const stop = (id) => { link(current)?.setAttribute("tabindex", "-1"); current = id; link(id)?.setAttribute("tabindex", "0"); };
  const walk = (id) => { if (id === undefined || !link(id)) return; stop(id); link(id).focus({ preventScroll: true }); show(id); };
  const siblings = (id) => [...(below.get(nodes.get(id).dataset.above) || [id])].sort((a, b) => left(a) - left(b) || a - b);
  const keys = {
    ArrowUp: (id) => walk(nodes.get(id).dataset.above),
    ArrowDown: (id) => { if (!nodes.get(id).classList.contains("folded")) walk([...(below.get(id) || [])].sort((a, b) => left(a) - left(b))[0]); },
    ArrowLeft: (id) => walk(siblings(id)[siblings(id).indexOf(id) - 1]),
    ArrowRight: (id) => walk(siblings(id)[siblings(id).indexOf(id) + 1]),
    Home: () => walk(nodes.keys().next().value),
    " ": (id) => fold(id),
    "=": (id) => { const [other] = alike.get(id) || []; walk(other); },
  };
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = idOf(event.target);
    if (event.key === "+") zoom(scale * 1.25);
    else if (event.key === "-") zoom(scale / 1.25);
    else if (event.key === "0") whole();
    else if (id !== undefined && keys[event.key]) keys[event.key](id);
    else return;
    event.preventDefault();
  });
  view.addEventListener("focusin", (event) => { const id = idOf(event.target); light(id); if (id !== undefined && event.target === link(id)) stop(id); });
  view.addEventListener("focusout", () => light());
  view.addEventListener("pointerover", (event) => light(idOf(event.target)));
  view.addEventListener("pointerleave", () => light());
  view.addEventListener("click", (event) => {
    if (moved > 4) { event.preventDefault(); event.stopPropagation(); moved = 0; return; }
    if (event.target.closest(".fold")) { event.preventDefault(); fold(idOf(event.target)); return; }
    const target = event.target.closest("a")?.getAttribute("href");
    if (target?.startsWith("#n")) { event.preventDefault(); walk(target.slice(2)); }
  }, true);

  // A mouse drags; fingers scroll as ever, and two of them zoom.
  let moved = 0, from = null;
  const fingers = new Map();
  view.addEventListener("dragstart", (event) => event.preventDefault());
  view.addEventListener("pointerdown", (event) => {
    moved = 0;
    if (event.pointerType === "mouse" && event.button === 0) from = [event.clientX, event.clientY, view.scrollLeft, view.scrollTop];
  });
  addEventListener("pointermove", (event) => {
    if (!from || !view.isConnected) return;
    const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
    moved = Math.max(moved, Math.abs(dx) + Math.abs(dy));
    if (moved > 4) { view.classList.add("held"); view.scrollLeft = from[2] - dx; view.scrollTop = from[3] - dy; }
  });
  addEventListener("pointerup", () => { from = null; view.classList.remove("held"); });
  const spread = () => { const [a, b] = [...fingers.values()]; return [Math.hypot(a.x - b.x, a.y - b.y), (a.x + b.x) / 2, (a.y + b.y) / 2]; };
  view.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2) { fingers.clear(); return; }
    event.preventDefault();
    const box = view.getBoundingClientRect();
    const before = fingers.size === 2 ? spread() : null;
    [...event.touches].forEach((touch, i) => fingers.set(i, { x: touch.clientX - box.left, y: touch.clientY - box.top }));
    const [now, x, y] = spread();
    if (before) zoom(scale * now / before[0], x, y);
  }, { passive: false });
  view.addEventListener("touchend", () => fingers.clear());
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });

  const does = {
    in: () => zoom(scale * 1.4), out: () => zoom(scale / 1.4), whole,
    fold: () => { for (const id of below.keys()) if (id !== nodes.keys().next().value) fold(id, true); say("all branches folded"); },
    unfold: () => { for (const id of below.keys()) fold(id, false); say("all branches unfolded"); },
  };
  tools?.addEventListener("click", (event) => does[event.target.closest("button")?.dataset.does]?.());
  for (const part of [view, tools]) part?.classList.add("ready");
  view.setAttribute("tabindex", "-1");
  link(current)?.setAttribute("tabindex", "0");
  zoom(Math.min(1, Math.max(view.clientWidth / wide, 0.55)));
  const root = nodes.get(current).getBoundingClientRect(), box = view.getBoundingClientRect();
  view.scrollLeft += root.left + root.width / 2 - box.left - box.width / 2;
};

onPage((main) => { for (const view of main.querySelectorAll(".tree-view")) grow(view, main.querySelector(".tree-tools")); });
