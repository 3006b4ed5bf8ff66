// Asks again until the answer is there. The server holds each question for a while, so this is no hurry.
const box = document.getElementById("waiting");

async function ask() {
  const reply = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" });
  if (reply.status !== 202) {
    location.reload();
    return;
  }
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  box.replaceChildren(...page.getElementById("waiting").childNodes);
  setTimeout(again, 250);
}

function again() {
  ask().catch(() => setTimeout(again, 2000));
}

again();
