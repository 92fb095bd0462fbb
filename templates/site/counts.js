// The counts of a class: one bar for every misconception or answer, and both tries beside each other.

import { element, isolated, say } from "./words.js";

/** How many percent of a cell the longest bar takes. */
const LONGEST_BAR = 68;

/** The table of the counts, with a bar in each cell.
 * @param {CountRow[]} counts @param {number} tries */
export function countTable(counts, tries) {
  if (!counts.length) return element("p", {}, say("no_counts"));
  const most = Math.max(1, ...counts.flatMap((row) => row.counts));
  const heads = tries > 1 ? ["first_try", "second_try"] : ["first_try"];
  const rows = counts.map((row) => {
    const cells = row.counts.map((count) => element("td", {}, barOf(count / most), String(count)));
    return element("tr", { class: row.category }, element("th", { scope: "row" }, isolated(row.label)), ...cells);
  });
  const head = element("tr", {}, element("td", { class: "label-cell" }), ...heads.map((name) => element("th", { scope: "col" }, say(name))));
  return element("table", { class: "counts" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

/** @param {number} share */
function barOf(share) {
  const made = element("span", { class: "amount", "aria-hidden": "true" });
  made.style.width = `${share * LONGEST_BAR}%`;
  return made;
}

/** How many phones there are, how many have answered, and how many answers are still being marked.
 * @param {ClassState} state */
export function numbersText(state) {
  if (!state.number) return say("phones_joined", { count: state.phones });
  const count = state.answered[state.answered.length - 1];
  const received = say("answers_received", { count, phones: state.phones });
  const answers = state.waiting ? say("noted", { text: received, note: say("answers_waiting", { count: state.waiting }) }) : received;
  return `${answers} · ${say(state.is_open ? "question_open" : "question_closed")}`;
}
