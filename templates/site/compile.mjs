// Compiles the Python files of a site under Node with the site's own Pyodide: a page then starts in half the time.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, grader] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
// The same files become the same bytes: what depends on hashes does so always alike.
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" } });
python.unpackArchive(new Uint8Array(readFileSync(grader)), "zip", { extractDir: "/home/pyodide" });
python.FS.writeFile("/tmp/grader.zip", new Uint8Array(readFileSync(grader)));
const [own, library] = python.pyimport("grader.web.messages.bytecode").compile_archives("/tmp/grader.zip");
writeFileSync(grader, python.FS.readFile(own));
writeFileSync(`${pyodide}/python_stdlib.zip`, python.FS.readFile(library));
