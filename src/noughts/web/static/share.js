// A page as a link, a picture, a text or a frame to take along. Without scripts link and code stand there.
import { say } from "./main.js";

const field = (id) => document.getElementById(id);
// A mark stands in its cell, or in the link or button of the cell; threats and what a pointer shows do not count.
const marked = (cell, mark) => cell.querySelector(`:scope > .mark.${mark}, :scope > [data-at] > .mark.${mark}`);
const row = (cells) => cells.map((cell) => (marked(cell, "x") ? "X" : marked(cell, "o") ? "O" : "·")).join(" ");
const layer = (each) => [...each.querySelectorAll("[role='row']")].map((cells) => row([...cells.querySelectorAll("[role='gridcell']")])).join("\n");
const layers = () => [...(document.querySelector("#main [data-board]")?.querySelectorAll(".layer") || [])].map(layer);
const text = () => {
  const lead = (document.querySelector("#main .turn") || document.querySelector("#main .lead"))?.textContent.trim().replace(/\s+/g, " ");
  return [document.title, lead, ...layers(), location.href].filter(Boolean).join("\n\n");
};
const png = async () => (await fetch(document.querySelector("[data-picture]").href)).blob();

const share = {
  link: () => navigator.clipboard.writeText(location.href),
  text: () => navigator.clipboard.writeText(text()),
  picture: () => navigator.clipboard.write([new ClipboardItem({ "image/png": png() })]),
  device: () => navigator.share({ title: document.title, url: location.href }),
  frame: (button) => { const code = button.closest("details, li").querySelector("textarea, pre"); return navigator.clipboard.writeText(code.value || code.textContent); },
};
const works = {
  link: () => navigator.clipboard?.writeText,
  text: () => navigator.clipboard?.writeText && !field("waiting"), // the text of a page that still computes is not whole
  frame: () => navigator.clipboard?.writeText,
  picture: () => navigator.clipboard?.write && window.ClipboardItem,
  device: () => navigator.share,
};

// The address of the page can change without a new page, so fields are filled in when the reader comes to them.
const fill = () => {
  const link = field("share-link");
  if (!link) return;
  link.value = location.href;
  const frame = field("share-frame");
  frame.value = frame.value.replace(/src="[^"]*"/, `src="${location.origin}/embed${location.pathname}${location.search}"`);
  for (const code of document.querySelectorAll(".frames pre")) code.textContent = code.textContent.replace(/src="[^"]*?(?=\/embed\/)/, `src="${location.origin}`);
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !works[button.dataset.share]();
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-share]");
  if (!button) return;
  try {
    await share[button.dataset.share](button);
    if (button.dataset.share !== "device") say("Copied");
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 2000);
  } catch (error) {
    if (error.name !== "AbortError") say("This browser does not allow it here.");
  }
});
document.addEventListener("focusin", (event) => {
  if (event.target.closest?.(".share")) fill();
  if (event.target.matches?.("#share-link, #share-frame")) event.target.select();
});
new MutationObserver(fill).observe(document.body, { childList: true });
fill();
