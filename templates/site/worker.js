// The grader in a worker: Python by way of Pyodide, the same code as on the command line.

/** @type {((text: string) => string)|undefined} */
let desk;

/** @param {{base: string, inside: Record<string, Blob>|null, pyodide: string, speaking: unknown, programs?: boolean}} from */
async function start({ base, inside, pyodide, speaking, programs }) {
  // A worker of a file has an origin of its own: the addresses of what the page holds are made here.
  const held = Object.fromEntries(Object.entries(inside ?? {}).map(([name, file]) => [name, URL.createObjectURL(file)]));
  const load = self.fetch.bind(self);
  const index = pyodide ? new URL(pyodide, base).href : "";
  /** @param {string} name */
  const address = (name) => held[name] ?? new URL(name, base).href;
  /** @param {string} name */
  const part = (name) => (index ? index + name : address(name));
  // Pyodide would find out by a script, which the policy of the page refuses, whether this is a module.
  if (inside) self.importScripts = () => { throw new TypeError("no scripts"); };
  const { loadPyodide } = await import(part("pyodide.mjs"));
  /** @type {Record<string, unknown>} */
  const options = { indexURL: index || "inside:/" };
  if (!index) {
    // What Pyodide would load from beside itself is in the page.
    self.fetch = (name, how) => load(held[String(name).split("/").pop() ?? ""] ?? name, how);
    options.createPyodideModule = (await import(part("pyodide.asm.mjs"))).default;
    options.lockFileContents = await (await load(part("pyodide-lock.json"))).json();
    options.stdLibURL = part("python_stdlib.zip");
    options.packageBaseUrl = "inside:/";
  }
  const python = await loadPyodide(options);
  const [code, pool] = await Promise.all([load(address("grader.zip")), programs ? null : load(address("pool.json"))]);
  python.unpackArchive(await code.arrayBuffer(), "zip", { extractDir: "/home/pyodide" });
  const starting = python.pyimport("grader.web.messages.page_startup");
  const language = JSON.stringify(speaking);
  const made = pool ? starting.make_handler(await pool.text(), language) : starting.make_checker(language);
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
