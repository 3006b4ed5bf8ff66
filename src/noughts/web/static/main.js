// What every page has. Scripts only add: without them links and forms do the same.
export const say = (text) => {
  const region = document.getElementById("say");
  if (region) { region.textContent = ""; setTimeout(() => { region.textContent = text; }, 60); }
};

// What a page needs set up: runs now, and again after each replacement of the page's content.
const setups = [];
export const onPage = (setup) => { setups.push(setup); setup(document.getElementById("main")); };

const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

// Style sheets and modules that the new page needs and this one has not.
const fetchMissing = async (page) => {
  const styles = all('link[rel="stylesheet"]', page.head).filter((link) => !all('link[rel="stylesheet"]').some((here) => here.href === link.href));
  await Promise.all(styles.map((link) => new Promise((done) => {
    const added = document.createElement("link");
    Object.assign(added, { rel: "stylesheet", href: link.href, onload: done, onerror: done });
    document.head.append(added);
  })));
  return all('script[type="module"][src]', page.head).map((script) => script.src);
};

const replacePart = (page, selector) => {
  const [here, there] = [one(selector), one(selector, page)];
  if (here && there) here.replaceWith(there);
};

// Where the focus goes: to what has the same id, else to the content, and only if it was inside what is replaced.
const refocus = (id, inside) => {
  const found = id && document.getElementById(id);
  if (found) found.focus({ preventScroll: true });
  else if (inside) (one("[data-board] [tabindex='0']") || one("#main")).focus({ preventScroll: true });
};

let pending = null;
let swaps = 0;
export const swapped = () => swaps;

// Replace the content of this page by that of another address. Links are from the root, so no page needs a base.
export const swap = async (address, { push = true, top = false, first = "" } = {}) => {
  pending?.abort();
  const mine = pending = new AbortController();
  const main = one("#main");
  main.setAttribute("aria-busy", "true");
  let page, final;
  try {
    const reply = await fetch(address, { signal: mine.signal, headers: { Accept: "text/html", Prefer: "wait=2" } });
    if (!(reply.headers.get("Content-Type") || "").startsWith("text/html")) throw new Error("no page");
    final = reply.redirected ? reply.url : address;
    page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (!one("#main", page)) throw new Error("no content");
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
    return;
  }
  const scripts = await fetchMissing(page);
  if (mine.signal.aborted) return;
  const inside = main.contains(document.activeElement);
  const id = inside ? document.activeElement.id : "", height = scrollY && id && document.activeElement.getBoundingClientRect().top;
  const kept = all("input[data-keep]").filter((input) => input.checked).map((input) => input.id);
  // A step in a game takes the place of the one before: Back leaves the game, and the address holds all of it.
  const story = one("[data-story]")?.dataset.story;
  if (push && story && one("[data-story]", page)?.dataset.story === story) history.replaceState(null, "", final);
  else if (push) { history.pushState(null, "", final); swaps += 1; }
  document.title = page.title;
  main.removeAttribute("aria-busy");
  main.replaceWith(one("#main", page));
  // What the reader has pressed stays where it is on the screen.
  const stays = height && document.getElementById(id);
  if (stays && !top) scrollBy({ top: stays.getBoundingClientRect().top - height, behavior: "instant" });
  for (const part of ["nav.pages", "footer"]) replacePart(page, part);
  for (const input of all("input[data-keep]")) if (kept.includes(input.id)) input.checked = true;
  await Promise.all(scripts.map((source) => import(source)));
  for (const setup of setups) setup(one("#main"));
  refocus(id, inside);
  if (top) scrollTo(0, 0);
  const live = one("#main [data-live]")?.dataset.live;
  say(`${first} ${live || document.title}`.trim());
};

const formAddress = (form, submitter) => {
  const data = new FormData(form, submitter);
  const given = [...data].filter(([, value]) => value !== "");
  return `${form.getAttribute("action") || location.pathname}?${new URLSearchParams(given)}`;
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-swap]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin) return;
  event.preventDefault();
  swap(link.href, { top: link.dataset.swap === "top" });
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-swap]");
  if (!form || form.method !== "get" || event.defaultPrevented) return;
  event.preventDefault();
  swap(formAddress(form, event.submitter));
});
// A form marked data-auto is sent as soon as something in it is changed.
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-swap][data-auto]");
  if (form) form.requestSubmit();
});
// A form marked data-address is in the address of the page: what is chosen stands there at once, and in the links on
// this page. The first choice of each question is the usual one, which is left out.
const addressed = (address, form) => {
  const url = new URL(address, location.href);
  if (url.pathname !== location.pathname) return address;
  for (const name of new Set(all('input[type="radio"]', form).map((input) => input.name))) {
    const radios = all('input[type="radio"]', form).filter((input) => input.name === name);
    const chosen = radios.find((input) => input.checked);
    if (!chosen || chosen === radios[0]) url.searchParams.delete(name);
    else url.searchParams.set(name, chosen.value);
  }
  url.searchParams.sort();
  return url.href;
};
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-address]");
  if (!form) return;
  history.replaceState(null, "", addressed(location.href, form));
  for (const link of all("#main a[data-swap], #main [data-at][href]")) link.href = addressed(link.href, form);
  for (const place of all("#main [data-to], #main [data-board]"))
    for (const [key, to] of Object.entries(place.dataset)) if (/^to$|To$/.test(key)) place.dataset[key] = addressed(to, form);
});
// A button marked data-copy copies its text with the address of the page; without a clipboard it does what it is.
onPage((main) => { if (navigator.clipboard) for (const button of all("button[data-copy]", main)) button.hidden = false; });
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button || !navigator.clipboard) return;
  event.preventDefault();
  await navigator.clipboard.writeText(`${button.dataset.copy} ${location.href}`.trim());
  button.textContent = "Copied";
  say("Copied");
});
// A board that cannot be read: the error stands beside the box, and what was typed stays in it.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form.ask");
  if (!form || event.defaultPrevented) return;
  event.preventDefault();
  const reply = await fetch(formAddress(form)).catch(() => null);
  if (!reply || reply.ok) { location.assign(reply?.url || formAddress(form)); return; }
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  one(".wrong", form).textContent = one("#sentence", page)?.textContent || page.title;
  one("input", form).setAttribute("aria-invalid", "true");
});
addEventListener("popstate", () => swap(location.href, { push: false }));
