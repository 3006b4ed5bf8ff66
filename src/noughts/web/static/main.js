// What every page has. Scripts only add: without them links and forms do the same.
export const say = (text) => {
  const region = document.getElementById("say");
  if (region) { region.textContent = ""; requestAnimationFrame(() => { region.textContent = text; }); }
};
