// Present: the steps of a search for a lecture; wherever something could be pruned, the class guesses first.

import { ask } from "./marker.js";
import { TreeView } from "./tree.js";
import { element, paragraph, part, say, windowText } from "./words.js";

const PAUSE = 4000; // milliseconds of a step that plays by itself

/** What the picture shows after some steps. @param {TreeNode[]} nodes @param {Step[]} steps @returns {Required<Pick<Picture, "values"|"windows"|"bars">>} */
export function pictureAfter(nodes, steps) {
  /** @type {Map<number, string>} */
  const values = new Map();
  /** @type {Map<number, string>} */
  const windows = new Map();
  /** @type {Set<number>} */
  const bars = new Set();
  for (const step of steps) {
    Object.entries(step.values).forEach(([node, value]) => {
      if (nodes[Number(node)].player !== null) values.set(Number(node), value);
    });
    Object.entries(step.windows).forEach(([node, [alpha, beta]]) => windows.set(Number(node), windowText(alpha, beta)));
    step.pruned.forEach((node) => bars.add(node));
  }
  return { values, windows, bars };
}

/** How a tree is shown with the windows and values of all steps of a search. @param {TreeNode[]} nodes @param {Step[]} steps */
export function shapeFor(nodes, steps) {
  const pictures = steps.map((step) => pictureAfter(nodes, [step]));
  const windows = pictures.flatMap((each) => [...each.windows.values()]);
  const values = pictures.flatMap((each) => [...each.values.values()]);
  const longest = (/** @type {string[]} */ texts) => texts.reduce((most, text) => Math.max(most, text.length), 0);
  return { beside: Math.max(45, 6.6 * longest(windows), 9 * longest(values)), both: true };
}

/** The lines of the algorithm, with the one that is executed. @param {{step: string, text: string}[]} lines @param {string} current */
export const codeLines = (lines, current) => lines.map(({ step, text }) => {
  const line = element("li", step && step === current ? { "aria-current": "step" } : {}, text);
  line.style.setProperty("--margin", `${text.search(/\S/) + 2}ch`); // of what does not fit into one line
  return line;
});

/** The line that a step executes. @param {Step} step */
function lineOf(step) {
  const names = step.events.map((event) => event.event);
  if (names.includes("cut")) return "prune";
  if (names.length === 1 && names[0] === "enter") return "window";
  return names[0] === "enter" ? "move" : "value";
}

export class Presentation {
  constructor() {
    /** @type {Step[]} */
    this.steps = [];
    /** @type {{step: string, text: string}[]} */
    this.lines = [];
    /** @type {MinimaxStep[]} */
    this.minimax = [];
    /** @type {{step: number, guess: boolean, more: number}[]} `more` steps of minimax search after the last one */
    this.slides = [];
    this.slide = 0;
    /** @type {Set<number>} */
    this.guessed = new Set();
    this.playing = 0;
    this.tree = "";
    part("screen").classList.add("crossing");
    this.view = new TreeView(part("screen"), { label: say("tree_label"), touch: (node) => this.touched(node), fills: true });
    this.plain = new TreeView(part("minimax-screen"), { label: say("minimax"), fills: true });
    part("forward").addEventListener("click", () => this.go(this.slide + 1));
    part("back").addEventListener("click", () => this.go(this.slide - 1));
    part("play").addEventListener("click", () => this.play());
    part("full").addEventListener("click", () => this.full());
    part("guess").addEventListener("change", () => this.cut());
    part("with-code").addEventListener("change", () => this.resize());
    part("with-minimax").addEventListener("change", () => {
      this.resize();
      this.cut(this.slide);
    });
    addEventListener("resize", () => this.resize());
    // A click leaves the keyboard to the lecture, whatever was clicked.
    part("present").addEventListener("click", (event) => {
      if (event.detail && document.activeElement instanceof Element) /** @type {HTMLElement} */ (document.activeElement).blur();
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** Tell the search of a tree, or go on with it. @param {string} tree */
  async open(tree) {
    if (tree === this.tree) return this.resize();
    const answer = await ask({ ask: "explain", tree });
    this.stop();
    this.tree = answer.errors ? "" : tree;
    if (answer.errors) {
      this.slides = [];
      this.view.show([]);
      part("words").textContent = paragraph(...new Set(answer.errors.map((fault) => fault.message)));
      return;
    }
    this.steps = answer.steps;
    this.lines = answer.lines;
    this.minimax = answer.minimax;
    part("with-minimax", HTMLInputElement).disabled = !this.minimax.length;
    this.view.picture = {};
    this.view.show(answer.nodes, shapeFor(answer.nodes, this.steps));
    this.resize();
    this.cut();
  }

  /** What is shown has changed, or its place: two trees are beside each other or one below the other, as they are larger. */
  resize() {
    part("code-lines").hidden = !part("with-code", HTMLInputElement).checked;
    part("minimax-beside").hidden = !this.beside;
    if (!this.view.nodes.length || part("present").hidden) return;
    const scales = [false, true].map((stacked) => {
      part("trees").classList.toggle("stacked", stacked);
      return this.view.arranged(this.view.unfolded()).scale;
    });
    part("trees").classList.toggle("stacked", this.beside && scales[1] > scales[0]);
    this.view.show(this.view.nodes, this.view.how);
    if (this.beside) this.plain.show(this.view.nodes, this.view.how);
  }

  /** Whether minimax search is shown as well. */
  get beside() {
    return this.minimax.length > 0 && part("with-minimax", HTMLInputElement).checked;
  }

  /** Put a guess wherever it is decided whether children are pruned, if the class is to guess; minimax search may
   * still go on when alpha-beta search is complete. @param {number} [slide] the one to go to */
  cut(slide = 0) {
    const guess = part("guess", HTMLInputElement).checked;
    this.slides = this.steps.flatMap((_, index) => {
      const own = [{ step: index, guess: false, more: 0 }];
      return guess && this.steps[index - 1]?.is_open ? [{ step: index, guess: true, more: 0 }, ...own] : own;
    });
    const last = this.steps.length - 1;
    for (let more = 1; this.beside && last + more < this.minimax.length; more++) this.slides.push({ step: last, guess: false, more });
    this.go(slide);
  }

  /** @param {number} slide */
  go(slide) {
    if (!this.slides.length) return;
    if (slide < this.slide) this.guessed.clear();
    this.slide = Math.max(0, Math.min(slide, this.slides.length - 1));
    if (this.slides[this.slide].guess) this.guessed.clear();
    if (this.slide === this.slides.length - 1) this.stop();
    this.paint();
  }

  /** Go on by itself, or stop. */
  play() {
    if (this.playing) return this.stop();
    this.playing = window.setInterval(() => (part("present").hidden ? this.stop() : this.go(this.slide + 1)), PAUSE);
    part("play").textContent = say("pause");
    if (this.slide === this.slides.length - 1) this.go(0);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = 0;
    part("play").textContent = say("play");
  }

  full() {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void part("present").requestFullscreen?.();
  }

  paint() {
    const { step, guess, more } = this.slides[this.slide];
    const { nodes } = this.view;
    const before = this.steps.slice(0, guess ? step : step + 1);
    const { values, windows, bars } = pictureAfter(nodes, before);
    const told = this.steps[step];
    if (guess) this.guessed.forEach((node) => bars.add(node));
    const cut = !guess && told.pruned.length ? told.pruned.map((node) => [node, { sign: this.guessed.has(node) ? "right" : "missing", said: say("is_cut") }]) : [];
    const extra = guess ? [] : [...this.guessed].filter((node) => !bars.has(node)).map((node) => [node, { sign: "extra", said: say("is_extra") }]);
    const marks = this.guessed.size ? new Map(/** @type {[number, NodeMark][]} */ ([...cut, ...extra])) : new Map();
    const entered = before.flatMap((each) => each.events).filter((each) => each.event === "enter" && nodes[each.node].player === null);
    const lit = new Set(this.beside ? entered.map((each) => each.node) : []);
    this.view.paint({ values, windows, bars, lit, current: guess ? this.steps[step - 1].node : told.node, marks });
    part("words").textContent = guess ? say("what_next") : more ? say("minimax_goes_on") : told.words;
    const place = { step: guess ? step : step + 1, count: this.steps.length, leaves: entered.length };
    part("place").textContent = say(this.beside ? "alphabeta_step" : "step", place);
    const leaves = nodes.filter((node) => node.player === null).length;
    part("visited").textContent = this.beside || !this.lines.length ? "" : say("visited", { count: entered.length, leaves });
    if (this.beside) this.paintMinimax(guess ? step : step + 1 + more);
    part("code-lines").replaceChildren(...codeLines(this.lines, guess ? "prune" : lineOf(told)));
    part("back", HTMLButtonElement).disabled = this.slide === 0;
    part("forward", HTMLButtonElement).disabled = this.slide === this.slides.length - 1;
    if (!guess && !told.pruned.length) this.guessed.clear();
  }

  /** Show minimax search after as many steps. @param {number} count */
  paintMinimax(count) {
    const steps = this.minimax.slice(0, count);
    const { nodes } = this.plain;
    const left = steps.filter(({ value }) => value !== null);
    const leaves = left.filter(({ node }) => nodes[node].player === null);
    const values = new Map(left.filter(({ node }) => nodes[node].player !== null).map(({ node, value }) => [node, value ?? ""]));
    this.plain.paint({ values, lit: new Set(leaves.map(({ node }) => node)), current: steps[steps.length - 1]?.node });
    part("minimax-place").textContent = say("minimax_step", { step: steps.length, count: this.minimax.length, leaves: leaves.length });
  }

  /** The class guesses. @param {number} node */
  touched(node) {
    if (!this.slides[this.slide]?.guess || node === 0) return;
    if (this.guessed.has(node)) this.guessed.delete(node);
    else this.guessed.add(node);
    this.paint();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (part("present").hidden || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target instanceof Element ? event.target : null;
    const inside = target?.closest("svg");
    const busy = target?.closest("button, input, a"); // where space means something else
    if (target?.closest("select")) return;
    const steps = { PageDown: 1, PageUp: -1, ...(inside ? {} : { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }) };
    if (event.key in steps) this.go(this.slide + (steps[/** @type {keyof typeof steps} */ (event.key)] ?? 0));
    else if (event.key === " " && !busy && !inside) this.go(this.slide + (event.shiftKey ? -1 : 1));
    else if (event.key === "f") this.full();
    else if (event.key === "p") this.play();
    else return;
    event.preventDefault();
  }
}
