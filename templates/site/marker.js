// The two ways to the grader: this machine's own, or the one that the page brings along in a worker.

import { say, setup } from "./words.js";

/** @typedef {{errors?: Fault[]} & Record<string, any>} Answer */

/** @type {Map<number, {resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
const waiting = new Map();
let counted = 0;
/** @type {Promise<Worker>|undefined} */
let working;
/** @type {Promise<Record<string, Blob>>|undefined} */
let held;

/** Ask the grader; what it cannot answer has `errors`. @param {Record<string, unknown>} message @returns {Promise<Answer>} */
export async function ask(message) {
  const text = JSON.stringify(message);
  try {
    return setup.way === "server" ? await fromServer(text) : await fromWorker(text);
  } catch (error) {
    console.warn(error);
    return { errors: [{ message: say("no_grader"), hint: say("try_again") }] };
  }
}

/** @param {string} text @returns {Promise<Answer>} */
async function fromServer(text) {
  const answer = await fetch("ask", { method: "POST", body: text, headers: { "Content-Type": "application/json" } });
  return await answer.json();
}

/** @param {string} text @returns {Promise<Answer>} */
async function fromWorker(text) {
  working ??= start();
  const worker = await working.catch((error) => {
    working = undefined; // the next question tries again
    throw error;
  });
  return await new Promise((resolve, reject) => {
    waiting.set(++counted, { resolve, reject });
    worker.postMessage({ number: counted, text });
  });
}

/** A new worker and the message that starts it. @param {boolean} programs whether it runs programs, or marks */
export async function opened(programs) {
  const inside = setup.inside ? await (held ??= unpacked()) : null;
  const source = inside ? URL.createObjectURL(inside["worker.js"]) : new URL("worker.js", document.baseURI).href;
  const worker = new Worker(source, inside ? {} : { type: "module" });
  const from = { base: document.baseURI, inside, pyodide: setup.pyodide, speaking: setup.speaking, programs };
  return { worker, from };
}

/** Start the grader; the page can be used meanwhile. @returns {Promise<Worker>} */
async function start() {
  const { worker, from } = await opened(false);
  return await new Promise((resolve, reject) => {
    /** Nothing comes from this worker any more: whoever waits is told, and the next question starts another.
     * @param {string} why */
    const ended = (why) => {
      const error = new Error(why);
      worker.terminate();
      working = undefined;
      reject(error);
      waiting.forEach((each) => each.reject(error));
      waiting.clear();
    };
    worker.addEventListener("error", (event) => ended(event.message || "the worker failed"));
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) return resolve(worker);
      if (data.number === undefined) return ended(data.failed);
      const asker = waiting.get(data.number);
      waiting.delete(data.number);
      if (data.failed === undefined) asker?.resolve(JSON.parse(data.answer));
      else asker?.resolve({ errors: [{ message: say("grader_failed"), hint: say("try_again") }] });
    });
    worker.postMessage(from);
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
