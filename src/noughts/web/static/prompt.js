// The prompt of the manual: starts Python in a worker when asked to, sends lines, shows what they print.

const place = document.getElementById("prompt");
const [form, line, shown, status] = ["form", "input", "pre", "[role=status]"].map((part) => place.querySelector(part));
const [start, stop] = place.querySelectorAll("button[type=button]");
let worker;

function say(text, isBusy, isOn) {
  status.textContent = text;
  stop.hidden = !isBusy;
  start.hidden = isBusy || isOn;
  form.hidden = !isOn;
  line.readOnly = isBusy;
}

function begin() {
  say("Loading Python: about 14 MB, once.", true, false);
  worker = new Worker("/docs/prompt/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.failed) return end(`The prompt did not start: ${data.failed}`);
    if (data.text) shown.textContent += `$ noughts ${line.value}\n${data.text}\n`;
    say("Ready. This works without a network from now on.", false, true);
    line.focus();
    line.select();
    shown.scrollTop = shown.scrollHeight;
  };
  worker.onerror = () => end("The prompt did not start: the worker cannot be loaded.");
  worker.postMessage({ source: place.dataset.source });
}

function end(text) {
  worker.terminate();
  say(text, false, false);
}

start.addEventListener("click", begin);
stop.addEventListener("click", () => end("Stopped."));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = line.value.trim().replace(/^noughts\s+/, "");
  if (!words || line.readOnly) return;
  line.value = words;
  say("Working.", true, true);
  worker.postMessage({ line: words });
});
