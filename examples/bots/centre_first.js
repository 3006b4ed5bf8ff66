let moves = [];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.split(" ");
  if (word === "ugi") console.log("id name centre first\nugiok");
  if (word === "isready") console.log("readyok");
  if (word === "position") moves = rest.slice(2);
  if (word === "go")
    console.log("bestmove " + "b2 a1 c1 a3 c3 b1 a2 c2 b3".split(" ").find((cell) => !moves.includes(cell)));
  if (word === "quit") process.exit();
});
