// The two ways to the grader: this machine's own, or the one that the page brings along in a worker.

import { part, say, setup } from "./words.js";

/** @typedef {{errors?: Fault[]} & Record<string, any>} Answer */

/** @type {Map<number, {resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
const waiting = new Map();
let counted = 0;
/** @type {Promise<Worker>|undefined} */
let working;
/** @type {Promise<Record<string, Blob>>|undefined} */
let held;
/** @type {Promise<Record<string, any>>|undefined} */
let questions;

const PAUSES = [300, 1500]; // milliseconds before a message is sent again

/** Ask the grader; what it cannot answer has `errors`. @param {Record<string, unknown>} message @returns {Promise<Answer>} */
export async function ask(message) {
  const text = JSON.stringify({ language: setup.speaking.code, ...message });
  try {
    return setup.way === "server" ? await fromServer(text) : await fromWorker(text);
  } catch (error) {
    console.warn(error);
    return { errors: [{ message: say("no_grader"), hint: say(setup.way === "server" ? "address_gone" : "try_again") }] };
  }
}

/** A message that gets lost is sent again; nothing but a restart under another address ends that.
 * @param {string} text @returns {Promise<Answer>} */
async function fromServer(text) {
  for (let tried = 0; ; tried++) {
    try {
      const answer = await fetch("ask", { method: "POST", body: text, headers: { "Content-Type": "application/json" } });
      if (!answer.ok) throw new Error(`${answer.status}`);
      return await answer.json();
    } catch (error) {
      if (tried === PAUSES.length) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSES[tried]));
    }
  }
}

/** @typedef {{kind: string, level: string, place?: number, notes: string[][], seen: string[], start: number}} Wish */

/** The next question: the server's choice, or one of the files of the page, whose summaries the grader chooses by.
 * @param {Wish} wish @returns {Promise<Answer>} */
export async function nextQuestion(wish) {
  if (setup.way === "server") return await ask({ ask: "next", ...wish });
  const folder = `questions/${wish.kind}/${wish.level}/`;
  try {
    const pool = await piece(`${folder}index.json`);
    let place = wish.place === undefined ? 0 : wish.place % pool.length;
    // The first question of a kind is there at once, also before the grader is.
    if (wish.place === undefined && (wish.seen.includes(pool[0].id) || wish.notes.length)) {
      const chosen = await ask({ ask: "choose", pool, ...wish });
      if (chosen.errors) return chosen;
      place = chosen.place;
    }
    const found = await piece(`${folder}${place}.json`);
    if (found.question && found.exercise.language === setup.speaking.code) return found;
    const question = await ask({ ask: "question", exercise: found.exercise });
    return question.errors ? question : { exercise: found.exercise, question };
  } catch (error) {
    console.warn(error);
    return { errors: [{ message: say("no_question"), hint: say("try_later") }] };
  }
}

/** A file of questions. @param {string} name @returns {Promise<any>} */
async function piece(name) {
  if (setup.inside) {
    held ??= unpacked();
    questions ??= held.then((files) => files["questions.json"].text()).then(JSON.parse);
    return (await questions)[name];
  }
  const answer = await fetch(`${name}.gz`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return JSON.parse(await (await unzipped(await answer.blob())).text());
}

/** A file without its compression, from which a server may have freed it on the way. @param {Blob} file @returns {Promise<Blob>} */
async function unzipped(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return file;
  return await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
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
  const from = { base: document.baseURI, inside, pyodide: setup.pyodide, speaking: setup.speaking, catalogue: setup.catalogue, programs };
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
      if (data.loaded !== undefined) return loading(data.loaded);
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

/** Tell how much of the grader is there. @param {number} bytes */
function loading(bytes) {
  const percent = Math.min(99, Math.floor((100 * bytes) / (setup.size || Infinity)));
  if (percent) part("grader").textContent = say("grader_loads", { percent });
}

/** The files that a single page holds, compressed. @returns {Promise<Record<string, Blob>>} */
async function unpacked() {
  /** @type {Record<string, Blob>} */
  const found = {};
  for (const block of document.querySelectorAll("script[data-file]")) {
    if (!(block instanceof HTMLScriptElement)) continue;
    const bytes = Uint8Array.from(atob(block.textContent ?? ""), (sign) => sign.charCodeAt(0));
    found[block.dataset.file ?? ""] = (await unzipped(new Blob([bytes]))).slice(0, undefined, block.dataset.type);
    block.remove();
  }
  return found;
}

/** Whether the grader has answered by now: a first reply makes it load what marks the others quickly. */
export const ready = () => ask({ ask: "mark", exercise: setup.first[setup.start][setup.levels[0]].exercise, reply: "1" });
