// Asks again until the answer arrives. The server holds each question for a while, so there is a pause between two.
import { onPage, swap } from "./main.js";

onPage((main) => {
  const box = main.querySelector("#waiting");
  const address = location.href;
  const isHere = () => box.isConnected && location.href === address;
  const ask = async () => {
    const reply = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!isHere()) return;
    if (reply.status !== 202) { await swap(address, { push: false }); return; }
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const there = page.getElementById("waiting");
    if (there && isHere()) box.replaceChildren(...there.childNodes);
    again(250);
  };
  const again = (pause) => setTimeout(() => { if (isHere()) ask().catch(() => again(2000)); }, pause);
  if (box) again(250);
});
