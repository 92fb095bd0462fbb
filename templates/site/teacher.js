// The teacher's page of a class: it starts a question, sees the counts, and says what the wall shows.

import { countTable, numbersText } from "./counts.js";
import { ask } from "./marker.js";
import { download, paragraph, part, say, setup } from "./words.js";

const TEACHER_PAUSE = 1000; // milliseconds between two looks

/** @type {ClassState} */
let state = { view: "join", slide: 0, phones: 0, number: 0, answered: [] };
/** @type {Question|undefined} */
let question;
let tree = ""; // its text
let steps = 0; // of the search, once the wall shows it

/** Do something, and show what there is then. @param {Record<string, unknown>} message */
async function act(message) {
  const answer = await ask({ known: question ? state.number : 0, ...message });
  part("note").textContent = paragraph(...(answer.errors ?? []).flatMap((fault) => [fault.message, fault.hint]));
  if (answer.errors) return;
  state = /** @type {ClassState} */ (/** @type {unknown} */ (answer));
  if (answer.question) [question, tree] = [answer.question, answer.tree];
  if (!state.number) question = undefined;
  paint();
}

function paint() {
  part("question").textContent = question?.question ?? "";
  part("numbers").textContent = numbersText(state);
  part("counts").replaceChildren(...(state.number ? [countTable(state.counts ?? [], state.answered.length)] : []));
  part("close", HTMLButtonElement).disabled = !state.is_open;
  part("ask_again", HTMLButtonElement).disabled = !state.number || state.answered.length > 1;
  part("reveal", HTMLButtonElement).disabled = !state.number || Boolean(state.is_revealed);
  for (const name of ["save", "end"]) part(name, HTMLButtonElement).disabled = !state.number;
  for (const view of setup.views) {
    const button = part(`view-${view}`, HTMLButtonElement);
    button.setAttribute("aria-pressed", String(view === state.view));
    // Every phone with a tree of its own: there is none to show.
    button.disabled = view !== "join" && (!state.number || (["tree", "steps"].includes(view) && !(state.is_shared && question?.nodes.length)));
  }
  part("slides").hidden = state.view !== "steps";
  part("slide-place").textContent = say("step", { step: state.slide + 1, count: steps });
  part("slide-back", HTMLButtonElement).disabled = state.slide === 0;
  part("slide-forward", HTMLButtonElement).disabled = state.slide >= steps - 1;
}

/** The counts as a table with one row for each try and label. */
function countsAsCsv() {
  const cell = (/** @type {string|number} */ value) => {
    const text = String(value);
    // A spreadsheet would calculate what begins like a formula.
    return `"${(/^[=+@\t\r-]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  const rows = (state.counts ?? []).flatMap((row) => row.counts.map((count, place) => [state.kind ?? "", place + 1, row.category, row.label, count]));
  return [["question", "try", "category", "label", "count"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

part("start").addEventListener("click", () => void start());
for (const name of ["close", "ask_again", "reveal"]) part(name).addEventListener("click", () => void act({ ask: name }));
part("end").addEventListener("click", () => confirm(say("forget_question")) && void act({ ask: "end" }));
part("save").addEventListener("click", () => download("counts.csv", new Blob(["\ufeff", countsAsCsv()], { type: "text/csv" })));
for (const view of setup.views) part(`view-${view}`).addEventListener("click", () => void show(view));
part("slide-forward").addEventListener("click", () => void act({ ask: "show", view: "steps", slide: state.slide + 1 }));
part("slide-back").addEventListener("click", () => void act({ ask: "show", view: "steps", slide: Math.max(0, state.slide - 1) }));

/** Start a question; many trees take a while. */
async function start() {
  const button = part("start", HTMLButtonElement);
  const label = button.textContent;
  button.disabled = true;
  button.textContent = say("waiting");
  await act({
    ask: "start", kind: part("kind", HTMLSelectElement).value, level: part("level", HTMLSelectElement).value, shared: part("same", HTMLInputElement).checked, known: 0,
  });
  button.disabled = false;
  button.textContent = label;
}

/** Show something else on the wall. @param {string} view */
async function show(view) {
  if (view === "steps") steps = (await ask({ ask: "explain", tree })).steps?.length ?? 0;
  await act({ ask: "show", view });
}

/** Look again and again; the next look begins when the one before is answered. */
async function follow() {
  await act({ ask: "look" });
  setTimeout(() => void follow(), TEACHER_PAUSE);
}
void follow();
