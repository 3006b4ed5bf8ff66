// What scrolls sideways can be reached and scrolled from the keyboard; what does not is no stop.
"use strict";

const update = (each) => {
  if (each.scrollWidth > each.clientWidth) {
    each.tabIndex = 0;
    each.setAttribute("role", "group");
    each.setAttribute("aria-label", each.tagName === "PRE" ? "Session" : "Table");
  } else {
    for (const name of ["tabindex", "role", "aria-label"]) each.removeAttribute(name);
  }
};

const scrollers = document.querySelectorAll("div.highlight > pre, div.table-wrapper");

// Told of every change of size before it is painted, whatever the cause; the event of a window comes a frame too late.
const watcher = new ResizeObserver((changes) => changes.forEach((change) => update(change.target)));

for (const each of scrollers) {
  update(each);
  watcher.observe(each);
}
addEventListener("load", () => scrollers.forEach(update)); // fonts may have come since

// Pages that are opened from a folder may not read each other: the search then shows titles alone.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
