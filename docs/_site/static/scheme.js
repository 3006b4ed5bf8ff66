// Run before the page is drawn: the scheme of colours that was chosen here before, else that of the machine.
"use strict";

document.body.dataset.theme = (() => {
  try {
    return localStorage.getItem("theme") || "auto";
  } catch {
    return "auto"; // storage is refused
  }
})();
