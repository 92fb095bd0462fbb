// Present: the steps of a search for a lecture; before each cut the class guesses what is pruned next.

import { ask } from "./marker.js";
import { TreeView } from "./tree.js";
import { part, say } from "./words.js";

export class Presentation {
  constructor() {
    /** @type {Step[]} */
    this.steps = [];
    /** @type {{step: number, guess: boolean}[]} */
    this.slides = [];
    this.slide = 0;
    /** @type {Set<number>} */
    this.guessed = new Set();
    part("screen").classList.add("crossing");
    this.view = new TreeView(part("screen"), { label: say("tree_label"), touch: (node) => this.touched(node) });
    part("forward").addEventListener("click", () => this.go(this.slide + 1));
    part("back").addEventListener("click", () => this.go(this.slide - 1));
    part("full").addEventListener("click", () => void part("present").requestFullscreen?.());
    part("guess").addEventListener("change", () => this.cut());
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** Tell the search of a tree. @param {string} tree */
  async open(tree) {
    const answer = await ask({ ask: "explain", tree });
    if (answer.errors) {
      part("words").textContent = answer.errors.map((fault) => fault.message).join(" ");
      return;
    }
    this.steps = answer.steps;
    this.view.show(answer.nodes, { tall: true });
    this.cut();
  }

  /** Put a guess before every step that cuts, if the class is to guess. */
  cut() {
    const guess = part("guess", HTMLInputElement).checked;
    this.slides = this.steps.flatMap((step, index) => {
      const own = [{ step: index, guess: false }];
      return guess && step.pruned.length && index ? [{ step: index, guess: true }, ...own] : own;
    });
    this.go(0);
  }

  /** @param {number} slide */
  go(slide) {
    if (!this.slides.length) return;
    if (slide < this.slide) this.guessed.clear();
    this.slide = Math.max(0, Math.min(slide, this.slides.length - 1));
    if (this.slides[this.slide].guess) this.guessed.clear();
    this.paint();
  }

  paint() {
    const { step, guess } = this.slides[this.slide];
    /** @type {Map<number, string>} */
    const values = new Map();
    /** @type {Map<number, string>} */
    const windows = new Map();
    /** @type {Set<number>} */
    const bars = new Set();
    for (const each of this.steps.slice(0, guess ? step : step + 1)) {
      Object.entries(each.values).forEach(([node, value]) => {
        if (this.view.nodes[Number(node)].player !== null) values.set(Number(node), value);
      });
      Object.entries(each.windows).forEach(([node, [alpha, beta]]) => windows.set(Number(node), `[${alpha}, ${beta}]`));
      each.pruned.forEach((node) => bars.add(node));
    }
    const told = this.steps[step];
    if (guess) this.guessed.forEach((node) => bars.add(node));
    const shown = guess ? this.steps[step - 1].node : told.node;
    const cut = !guess && told.pruned.length ? told.pruned.map((node) => [node, { sign: this.guessed.has(node) ? "right" : "missing", said: say("is_cut") }]) : [];
    const extra = guess ? [] : [...this.guessed].filter((node) => !bars.has(node)).map((node) => [node, { sign: "extra", said: say("is_extra") }]);
    const marks = this.guessed.size ? new Map(/** @type {[number, NodeMark][]} */ ([...cut, ...extra])) : new Map();
    this.view.paint({ values, windows, bars, current: shown, marks });
    part("words").textContent = guess ? say("what_next") : told.words;
    part("place").textContent = say("step", { step: step + 1, count: this.steps.length });
    part("back", HTMLButtonElement).disabled = this.slide === 0;
    part("forward", HTMLButtonElement).disabled = this.slide === this.slides.length - 1;
    if (!guess && !told.pruned.length) this.guessed.clear();
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
    const inside = event.target instanceof Element && event.target.closest("svg");
    const forward = event.key === "PageDown" || (event.key === "ArrowRight" && !inside);
    if (!forward && event.key !== "PageUp" && (event.key !== "ArrowLeft" || inside)) return;
    event.preventDefault();
    this.go(this.slide + (forward ? 1 : -1));
  }
}
