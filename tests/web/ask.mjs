// Asks the grader of a static site under Node: every line of standard input is a message, every line out its answer.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [site, speaking] = process.argv.slice(2);
const { loadPyodide } = await import(`${site}/pyodide/pyodide.mjs`);
const started = process.cpuUsage();
const python = await loadPyodide({ indexURL: `${site}/pyodide/` });
python.unpackArchive(new Uint8Array(readFileSync(`${site}/grader.zip`)), "zip", { extractDir: "/home/pyodide" });
const desk = python.pyimport("grader.messages.starting").desk(readFileSync(`${site}/pool.json`, "utf-8"), speaking);
desk.reply('{"ask": "tree", "tree": "MAX (3 2)"}');
const { user, system } = process.cpuUsage(started);
process.stdout.write(`${(user + system) / 1e6}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(desk.reply(line))}\n`);
}
