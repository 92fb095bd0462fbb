// The wall of a class: what the teacher chose to show, as large as the projector allows.

import { countTable, numbersText } from "./counts.js";
import { ask } from "./marker.js";
import { Presentation } from "./present.js";
import { TreeView } from "./tree.js";
import { part, say } from "./words.js";

const WALL_PAUSE = 700; // milliseconds between two looks

const view = new TreeView(part("stage"), { label: say("tree_label"), fills: true });
const presentation = new Presentation();
/** @type {Question|undefined} */
let question;
let tree = ""; // its text
let known = 0;
let presented = 0; // the question whose search is told
let chosenSlide = -1; // the step that the teacher chose last
let shape = ""; // what the tree shows, to draw it only when this is new

/** @param {ClassState} state */
async function paint(state) {
  const { view: name } = state;
  part("join").hidden = name !== "join";
  part("asked").hidden = !["question", "tree"].includes(name);
  part("counted").hidden = name !== "counts";
  part("present").hidden = name !== "steps";
  part("numbers").hidden = name === "steps";
  part("named").hidden = name !== "tree";
  part("numbers").textContent = numbersText(state);
  if (!question) return;
  // On a wall nobody sees more than the question of one phone, unless all have the same.
  const isPlain = !state.is_shared || !question.nodes.length;
  part("question").textContent = question.question;
  part("counted-question").textContent = question.question;
  part("special").textContent = isPlain || name === "tree" ? "" : [...question.labels, question.special].filter(Boolean).join(" · ");
  part("stage").hidden = isPlain;
  if (name === "counts") part("counts").replaceChildren(countTable(state.counts ?? [], state.answered.length));
  if (!part("asked").hidden && !isPlain) paintTree(state);
  if (name === "steps") await present(state);
}

/** The tree of the question, with how many named each node in the latest try. @param {ClassState} state */
function paintTree(state) {
  const crossed = state.view === "tree" ? (state.crossed ?? {}) : {};
  const counts = new Map(Object.entries(crossed).map(([node, each]) => [Number(node), String(each[each.length - 1])]));
  const next = `${known} ${state.view}`;
  if (shape !== next && question) {
    shape = next;
    view.picture = {};
    view.show(question.nodes, { beside: state.view === "tree" ? 34 : 0, paths: question.paths });
  }
  view.paint({ values: counts });
}

/** The steps of the search; the teacher's buttons and those of this page both go through them. @param {ClassState} state */
async function present(state) {
  if (presented !== known && tree) {
    presented = known;
    part("guess", HTMLInputElement).checked = false;
    await presentation.open(tree);
    chosenSlide = -1;
  }
  if (chosenSlide !== state.slide) presentation.go(state.slide);
  chosenSlide = state.slide;
}

async function follow() {
  const answer = await ask({ ask: "look", known });
  if (answer.errors) part("numbers").textContent = answer.errors[0].message;
  else {
    known = answer.number;
    if (answer.question) [question, tree] = [answer.question, answer.tree];
    if (!known) question = undefined;
    await paint(/** @type {ClassState} */ (/** @type {unknown} */ (answer)));
  }
  setTimeout(() => void follow(), WALL_PAUSE);
}
void follow();
