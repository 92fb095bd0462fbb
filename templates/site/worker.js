// The grader in a worker: Python by way of Pyodide, the same code as on the command line.

/** @type {((text: string) => string)|undefined} */
let desk;
let loaded = 0;

const KEPT = { "pyodide.asm.wasm": "application/wasm", "pyodide-lock.json": "application/json", "python_stdlib.zip": "application/zip" };
const COMPRESSED = ["pyodide.asm.wasm", "pyodide-lock.json"];

/** A file of the page; how much is there by now is told. @param {string} address @returns {Promise<Blob>} */
async function download(address) {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(/** @type {Uint8Array<ArrayBuffer>} */ (value));
    self.postMessage({ loaded: (loaded += value.length) });
  }
  const whole = new Blob(pieces);
  // A server may have decompressed it on the way.
  const [first, second] = new Uint8Array(await whole.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return whole;
  return await new Response(whole.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/** @typedef {{base: string, inside: Record<string, Blob>|null, pyodide: string, speaking: unknown, catalogue: string, programs?: boolean}} From */

/** The files that Pyodide would load itself, where this page has them. @param {From} from @param {string} index
 * @returns {Promise<Record<string, Blob>>} */
async function files({ base, inside, pyodide }, index) {
  if (inside) return inside;
  if (!pyodide || new URL(index).origin !== new URL(base).origin) return {}; // loaded from elsewhere, as it is there
  const found = Object.keys(KEPT).map(async (name) => [name, await download(index + name + (COMPRESSED.includes(name) ? ".gz" : ""))]);
  return Object.fromEntries(await Promise.all(found));
}

/** @param {From} from */
async function start(from) {
  const { base, inside, pyodide, speaking, catalogue, programs } = from;
  const index = pyodide ? new URL(pyodide, base).href : "";
  const code = inside ? Promise.resolve(inside["grader.zip"]) : download(new URL("grader.zip", base).href);
  const sentences = catalogue ? download(new URL(catalogue, base).href) : null;
  const own = await files(from, index);
  const load = self.fetch.bind(self);
  self.fetch = async (name, how) => {
    const file = String(name).split("/").pop() ?? "";
    if (!own[file]) return await load(name, how);
    return new Response(own[file], { headers: { "Content-Type": KEPT[/** @type {keyof typeof KEPT} */ (file)] ?? "" } });
  };
  // A worker of a file has an origin of its own: the addresses of the scripts that the page holds are made here.
  /** @param {string} name */
  const script = (name) => (index ? index + name : URL.createObjectURL(own[name]));
  // Pyodide would find out by a script, which the policy of the page refuses, whether this is a module.
  if (inside) self.importScripts = () => { throw new TypeError("no scripts"); };
  const { loadPyodide } = await import(script("pyodide.mjs"));
  /** @type {Record<string, unknown>} */
  const options = { indexURL: index || "inside:/" };
  if (!index) {
    options.createPyodideModule = (await import(script("pyodide.asm.mjs"))).default;
    options.lockFileContents = JSON.parse(await own["pyodide-lock.json"].text());
    options.stdLibURL = "inside:/python_stdlib.zip";
    options.packageBaseUrl = "inside:/";
  }
  const python = await loadPyodide(options);
  python.unpackArchive(await (await code).arrayBuffer(), "zip", { extractDir: "/home/pyodide" });
  if (sentences) python.unpackArchive(await (await sentences).arrayBuffer(), "zip", { extractDir: "/home/pyodide" });
  const starting = python.pyimport("grader.web.messages.page_startup");
  const language = JSON.stringify(speaking);
  const made = programs ? starting.make_checker(language) : starting.make_handler(language);
  desk = (text) => made.reply(text);
}

/** The answer to a message, or that there is none: whoever asked waits for one of both. @param {string} text */
function answered(text) {
  try {
    return { answer: desk?.(text) };
  } catch (error) {
    return { failed: String(error) };
  }
}

self.addEventListener("message", ({ data }) => {
  if (data.number !== undefined) self.postMessage({ number: data.number, ...answered(data.text) });
  else start(data).then(() => self.postMessage({ ready: true }), (error) => self.postMessage({ failed: String(error) }));
});
