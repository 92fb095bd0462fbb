// The two ways to the grader: this machine's own, or the one that the page brings along in a worker.

import { say, setup } from "./words.js";

/** @typedef {{errors?: Fault[]} & Record<string, any>} Answer */

/** @type {Map<number, (answer: Answer) => void>} */
const waiting = new Map();
let counted = 0;
/** @type {Promise<Worker>|undefined} */
let working;

/** Ask the grader; what it cannot answer has `errors`. @param {Record<string, unknown>} message @returns {Promise<Answer>} */
export async function ask(message) {
  const text = JSON.stringify(message);
  try {
    return setup.way === "server" ? await fromServer(text) : await fromWorker(text);
  } catch (error) {
    return { errors: [{ message: say("no_grader"), hint: String(error) }] };
  }
}

/** @param {string} text @returns {Promise<Answer>} */
async function fromServer(text) {
  const answer = await fetch("ask", { method: "POST", body: text, headers: { "Content-Type": "application/json" } });
  return await answer.json();
}

/** @param {string} text @returns {Promise<Answer>} */
async function fromWorker(text) {
  const worker = await (working ??= start());
  return await new Promise((resolve) => {
    waiting.set(++counted, resolve);
    worker.postMessage({ number: counted, text });
  });
}

/** Start the grader; the page can be used meanwhile. @returns {Promise<Worker>} */
async function start() {
  const inside = setup.inside ? await unpacked() : null;
  const source = inside ? URL.createObjectURL(inside["worker.js"]) : new URL("worker.js", document.baseURI).href;
  const worker = new Worker(source, inside ? {} : { type: "module" });
  return await new Promise((resolve, reject) => {
    worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker failed")));
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) resolve(worker);
      else if (data.failed) reject(new Error(data.failed));
      else {
        waiting.get(data.number)?.(JSON.parse(data.answer));
        waiting.delete(data.number);
      }
    });
    worker.postMessage({ base: document.baseURI, inside, pyodide: setup.pyodide, speaking: setup.speaking });
  });
}

/** The files that a single page holds, compressed. @returns {Promise<Record<string, Blob>>} */
async function unpacked() {
  /** @type {Record<string, Blob>} */
  const found = {};
  for (const block of document.querySelectorAll("script[data-file]")) {
    if (!(block instanceof HTMLScriptElement)) continue;
    const bytes = Uint8Array.from(atob(block.textContent ?? ""), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const data = await new Response(stream).arrayBuffer();
    found[block.dataset.file ?? ""] = new Blob([data], { type: block.dataset.type });
    block.remove();
  }
  return found;
}

/** Whether the grader has answered by now: a first reply makes it load what marks the others quickly. */
export const ready = () => ask({ ask: "mark", exercise: setup.first[setup.start][setup.levels[0]].exercise, reply: "1" });
