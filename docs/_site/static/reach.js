// What scrolls sideways can be reached and scrolled from the keyboard; what does not is no stop.
"use strict";

const scrollers = document.querySelectorAll("div.highlight > pre, div.table-wrapper");

const update = () => {
  for (const each of scrollers) {
    if (each.scrollWidth > each.clientWidth) {
      each.tabIndex = 0;
      each.setAttribute("role", "group");
      each.setAttribute("aria-label", each.tagName === "PRE" ? "Session" : "Table");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) each.removeAttribute(name);
    }
  }
};

update();
addEventListener("resize", update);
addEventListener("load", update);

// Pages that are opened from a folder may not read each other: the search then shows titles alone.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
