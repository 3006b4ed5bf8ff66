// Answers in WebAssembly: node scripts/pyodide.mjs PYODIDE WHEELS
//
// PYODIDE is the folder of the npm package `pyodide`, WHEELS one that holds the pure wheel of noughts and the pure
// wheels of click, rich, markdown-it-py, mdurl and pygments; NumPy is not needed. Nothing is fetched. Each line is
// called as on a command line; exit code 1 where an answer is not the one expected.

import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, wheels] = process.argv.slice(2).map((name) => resolve(name));
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));

const EXPECTED = [
  ["count 3x3", "255,168"],
  ["count 3x3 --same choices", "26,830"],
  ["solve 3x3", "draw"],
  ["explain 3x3 a1 b1", "X can force a win in 3 moves"],
  ["openings 3x3", "b2"],
  ["whatis 26830", "finished games"],
  ["count 3x3 --nonsense", "No such option"],
];

const python = await loadPyodide();
for (const name of readdirSync(wheels).filter((name) => name.endsWith("-none-any.whl"))) {
  python.unpackArchive(new Uint8Array(readFileSync(resolve(wheels, name))), "wheel");
}
python.runPython(`
import contextlib, io
from noughts.cli.main import main

def answer(line):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
        main(line.split())
    return said.getvalue()
`);
const answer = python.globals.get("answer");
let failed = 0;
for (const [line, expected] of EXPECTED) {
  const begun = performance.now();
  const said = answer(line);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  if (said.includes(expected)) {
    console.log(`noughts ${line}: ${seconds} s`);
  } else {
    failed += 1;
    console.log(`noughts ${line}: not "${expected}" but\n${said}`);
  }
}
console.log(failed ? `${failed} answers are wrong in WebAssembly` : `${EXPECTED.length} answers are right in WebAssembly`);
process.exit(failed ? 1 : 0);
