// The command line of noughts in a worker: receives where Pyodide is, then lines; sends what each prints.

let answer;

async function start(source) {
  const { loadPyodide } = await import(`${source}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: source, stdin: () => null });
  const packages = await fetch("/docs/prompt/packages.zip");
  if (!packages.ok) throw new Error("the server does not send noughts");
  python.unpackArchive(await packages.arrayBuffer(), "zip");
  python.runPython(`
import contextlib, io, os, shlex
from noughts.cli.main import main

os.environ["COLUMNS"] = "78"

def answer(line):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
        try:
            main(shlex.split(line))
        except (ImportError, OSError, ValueError) as error:
            print(f"This prompt cannot do that: {error}. An installed noughts can.")
    if "'numpy'" in printed.getvalue():
        return "This prompt has no NumPy: it answers for boards of up to nine cells. An installed noughts answers for all."
    return printed.getvalue()
`);
  answer = python.globals.get("answer");
}

onmessage = async ({ data }) => {
  try {
    if (data.source) await start(data.source);
    postMessage({ ready: Boolean(data.source), text: data.line ? answer(data.line) : "" });
  } catch (error) {
    postMessage({ failed: String(error.message || error) });
  }
};
