// Trace: a student runs the search step by step; each step is asked, and checked at once.

import { signButton } from "./boxes.js";
import { keepWork, keptWork } from "./kept.js";
import { ask } from "./marker.js";
import { codeLines, pictureAfter, shapeFor } from "./present.js";
import { TreeView } from "./tree.js";
import { element, isolated, paragraph, part, phrased, say, spokenName } from "./words.js";

export class Trace {
  constructor() {
    this.tree = "";
    /** @type {TraceStep[]} */
    this.steps = [];
    /** @type {{step: string, text: string}[]} */
    this.lines = [];
    this.number = 0;
    this.faults = 0;
    this.turn = 0;
    part("trace-stage").classList.add("crossing");
    this.view = new TreeView(part("trace-stage"), { label: say("trace_label"), touch: (node, key) => this.touched(node, key), selects: true });
    part("trace-undo").addEventListener("click", () => this.goTo(this.number - 1));
    part("trace-show").addEventListener("click", () => this.show());
    part("trace-again").addEventListener("click", () => this.goTo(0));
    part("trace-entry").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.enter();
    });
  }

  /** Begin with a tree, or go on with it. @param {string} tree */
  async open(tree) {
    if (tree === this.tree) return;
    const answer = await ask({ ask: "trace", tree });
    part("trace-fault").textContent = answer.errors ? paragraph(...answer.errors.flatMap((fault) => [fault.message, fault.hint])) : "";
    if (answer.errors) return;
    this.tree = tree;
    this.steps = answer.steps;
    this.lines = answer.lines;
    this.view.picture = {};
    this.view.focus = 0;
    this.view.show(answer.nodes, shapeFor(answer.nodes, this.steps.map(changesOf)));
    const kept = keptWork("trace");
    this.goTo(kept?.tree === tree ? Math.min(kept.number, this.steps.length) : 0);
  }

  /** Ask a step; all before it are shown. @param {number} number */
  goTo(number) {
    this.number = Math.max(0, number);
    if (!this.number) this.faults = 0;
    this.turn++;
    keepWork("trace", { tree: this.tree, number: this.number });
    part("trace-fault").replaceChildren();
    this.paint();
  }

  get step() {
    return this.steps[this.number];
  }

  paint() {
    const { step, steps, number } = this;
    const past = steps.slice(0, number);
    const { values, windows, bars } = pictureAfter(this.view.nodes, past.map(changesOf));
    const current = step ? step.node : 0;
    const entered = new Set(past.filter((each) => each.asks === "move" && each.to !== null).map((each) => each.to ?? 0));
    this.view.paint({ values, windows, bars, chosen: entered, current });
    const node = this.view.nodes[current];
    const name = isolated(spokenName({ ...node, title: node.title || say("root") }));
    const asks = !step ? "trace_done" : step.asks === "move" ? "trace_move" : step.asks === "window" ? "trace_window" : "trace_value";
    const question = say(asks, { faults: this.faults });
    part("trace-question").replaceChildren(...(step ? phrased("labelled", { label: name, text: question }) : [question]));
    part("trace-place").textContent = say("step", { step: Math.min(number + 1, steps.length), count: steps.length });
    part("trace-lines").replaceChildren(...codeLines(this.lines, step?.asks ?? ""));
    part("trace-words").textContent = toldAfter(past);
    this.boxes();
    part("trace-undo", HTMLButtonElement).disabled = number === 0;
    part("trace-show", HTMLButtonElement).disabled = !step;
  }

  /** What is entered at this step: numbers in boxes, or that the rest is pruned. */
  boxes() {
    const { step } = this;
    const inside = part("trace").contains(document.activeElement);
    const names = !step || step.asks === "move" ? [] : step.asks === "window" ? ["alpha", "beta"] : ["value"];
    const inputs = names.map((name) => element("label", {}, `${say(name)} `, element("input", {
      id: `trace-${name}`, size: 6, autocomplete: "off", spellcheck: "false", inputmode: "decimal",
    })));
    const signs = names.length ? ["−", "∞"].map(signButton) : [];
    const check = element("button", { type: "submit", class: "primary" }, say("check"));
    const prune = element("button", { type: "button", id: "trace-prune", onclick: () => void this.move(null) }, say("prune_rest"));
    const again = element("button", { type: "button", class: "primary", onclick: () => this.goTo(0) }, say("again"));
    part("trace-entry").replaceChildren(...(!step ? [again] : names.length ? [...inputs, ...signs, check] : [prune]));
    const box = part("trace-entry").querySelector("input");
    if (box && !part("trace").hidden) box.focus({ preventScroll: true });
    else if (step?.asks === "move" && inside) this.view.go(step.node);
  }

  /** @param {number} node @param {string} key */
  touched(node, key) {
    if (!this.step || this.step.asks !== "move") return;
    if (key === "x") void this.move(null);
    else if (["touch", "Enter", " "].includes(key)) void this.move(node);
  }

  /** Go to a node, or prune the rest. @param {number|null} to */
  async move(to) {
    await this.check({ to }, to === null ? [] : [to]);
  }

  /** The numbers of this step. */
  async enter() {
    const boxes = [...part("trace-entry").querySelectorAll("input")];
    const empty = boxes.find((box) => !box.value.trim());
    if (empty) return empty.focus();
    if (boxes.length) await this.check({ entry: boxes.map((box) => box.value) }, []);
  }

  /** Have an entry checked, and go on if it is correct. @param {Record<string, unknown>} entry @param {number[]} nodes */
  async check(entry, nodes) {
    const turn = ++this.turn;
    const answer = await ask({ ask: "trace_step", tree: this.tree, number: this.number, ...entry });
    if (turn !== this.turn) return;
    if (answer.errors) part("trace-fault").textContent = paragraph(...answer.errors.map((fault) => fault.message));
    else if (!answer.fault) this.goTo(this.number + 1);
    else {
      this.faults++;
      part("trace-fault").textContent = answer.fault;
      const marks = new Map(nodes.map((node) => [node, { sign: "extra", said: say("is_wrong") }]));
      this.view.paint({ ...this.view.picture, marks });
      const first = part("trace-entry").querySelector("input");
      first?.focus();
      first?.select();
    }
  }

  /** Do this step, and say why. */
  show() {
    this.faults++;
    this.goTo(this.number + 1);
  }
}

/** What a step changes in the picture. @param {TraceStep} step @returns {Step} */
function changesOf({ asks, node, numbers, pruned, words }) {
  const [first, second] = numbers;
  return {
    node, words, pruned, events: [], is_open: false,
    values: asks === "value" ? { [node]: first } : {},
    windows: asks === "window" ? { [node]: [first, second] } : {},
  };
}

/** Why the latest step was as it was; of a node that is entered not before its window was asked. @param {TraceStep[]} past */
function toldAfter(past) {
  const last = past[past.length - 1];
  if (!last || (last.asks === "move" && last.to !== null && last.enters)) return "";
  return last.words;
}
