// Asks the grader of a static site under Node: every line of standard input is a message, every line out
// its answer, or with a third word the seconds of processor time that it took.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { gunzipSync } from "node:zlib";

const [site, speaking, timed] = process.argv.slice(2);
for (const name of ["pyodide.asm.wasm", "pyodide-lock.json"]) {
  const file = `${site}/pyodide/${name}`; // the worker of the page decompresses it as well
  if (!existsSync(file)) writeFileSync(file, gunzipSync(readFileSync(`${file}.gz`)));
}
const { loadPyodide } = await import(`${site}/pyodide/pyodide.mjs`);
const started = process.cpuUsage();
const python = await loadPyodide({ indexURL: `${site}/pyodide/` });
python.unpackArchive(new Uint8Array(readFileSync(`${site}/grader.zip`)), "zip", { extractDir: "/home/pyodide" });
const desk = python.pyimport("grader.web.messages.page_startup").make_handler(speaking);
desk.reply('{"ask": "tree", "tree": "MAX (3 2)"}');
const { user, system } = process.cpuUsage(started);
process.stdout.write(`${(user + system) / 1e6}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage();
  const answer = desk.reply(line);
  const took = process.cpuUsage(before);
  process.stdout.write(`${timed ? (took.user + took.system) / 1e6 : JSON.stringify(answer)}\n`);
}
