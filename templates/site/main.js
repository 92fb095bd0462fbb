// The page: which of its parts is shown, progress as a file, and the grader that starts behind.

import { ProgramCheck } from "./code.js";
import { Editor, UNTOUCHED } from "./draw.js";
import { keptWork } from "./kept.js";
import { ready } from "./marker.js";
import { Practice, mastery } from "./practise.js";
import { Presentation } from "./present.js";
import { entries, forget, restore } from "./progress.js";
import { Trace } from "./trace.js";
import { download, paragraph, part, say, setup } from "./words.js";

// Programs run only where the page brings its own Python along.
const TABS = ["practise", "trace", "draw", "present", ...(setup.way === "worker" ? ["code"] : [])];

const practice = new Practice();
if (TABS.includes("code")) new ProgramCheck();
const editor = new Editor();
const presentation = new Presentation();
const trace = new Trace();

/** Show one part of the page. @param {string} name */
function show(name) {
  for (const tab of TABS) {
    part(tab).hidden = tab !== name;
    part(`to-${tab}`).toggleAttribute("aria-current", tab === name);
    if (tab === name) part(`to-${tab}`).setAttribute("aria-current", "page");
  }
  if (name === "draw") editor.begin();
}

/** Go on in another language, if the page has it; whether it does. @param {string} code */
function speak(code) {
  const file = setup.pages[code];
  if (!file || code === setup.speaking.code) return false;
  const wish = location.hash.slice(1).split("&").filter((each) => each && !each.startsWith("lang=")).join("&");
  location.assign(`${file}#${wish}`);
  return true;
}

/** What the address asks for: a part, perhaps a tree that a link carries, or a question; and whether the page is
 * embedded in another one. */
async function fromAddress() {
  // Read as a query, which takes a link that was cut off for what is left of it.
  const wish = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const [name, text] = [...wish][0] ?? ["", ""];
  if (speak(wish.get("lang") ?? "")) return;
  document.documentElement.toggleAttribute("data-embedded", wish.get("embed") === "1");
  if (name === "draw" && text) void editor.open(text);
  show(TABS.includes(name) ? name : TABS[0]);
  if (wish.has("kind")) await practice.open(wish);
  const drawn = editor.text.value || keptWork("draw") || UNTOUCHED;
  const tree = text || (drawn === UNTOUCHED ? setup.example : drawn);
  if (name === "present") await presentation.open(tree);
  if (name === "trace") await trace.open(tree);
}

part("language").addEventListener("change", (event) => speak(/** @type {HTMLSelectElement} */ (event.target).value));
addEventListener("hashchange", () => void fromAddress());
addEventListener("storage", () => mastery());
part("save-progress").addEventListener("click", () => {
  const content = JSON.stringify({ schema: 1, replies: entries() }, null, 2);
  download("progress.json", new Blob([content], { type: "application/json" }));
});
part("load-progress").addEventListener("change", async (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  const file = box.files?.[0];
  try {
    if (file) part("progress-note").textContent = say("restored", { count: restore(await file.text()) });
  } catch {
    part("progress-note").textContent = say("not_progress");
  }
  box.value = ""; // the same file may be chosen again
  mastery();
});
part("forget").addEventListener("click", () => {
  if (confirm(say("forget_all"))) forget();
  mastery();
});

part("find-kind").addEventListener("input", () => mastery());

mastery();
void fromAddress();
document.documentElement.dataset.usable = String(Math.round(performance.now()));
part("grader").textContent = say("grader_starts");
void ready().then((answer) => {
  part("grader").textContent = answer.errors ? paragraph(answer.errors[0].message, answer.errors[0].hint) : "";
  if (!answer.errors) document.documentElement.dataset.ready = String(Math.round(performance.now()));
});
if (setup.worker && location.protocol.startsWith("http")) void navigator.serviceWorker?.register("offline.js").catch(() => undefined);
