// Where numbers are written: boxes at the nodes of a tree, the same as a table, and the signs that phones hide.

import { element, isolated, part, say, spokenName } from "./words.js";

export const TYPED = ["values", "windows", "numbers", "payoffs"];
const KEYPAD = ["−", "∞", "/", "."];

/** Whether something is typed at a node. @param {Question} question @param {number} node */
export function typable({ touch: how, nodes, asked }, node) {
  if (asked.length) return asked.includes(node);
  return how === "numbers" || (how === "payoffs" ? nodes[node].player === null : nodes[node].player !== null && TYPED.includes(how));
}

/** What is written at a node, in the order of its boxes. @param {Question} question */
export const boxNames = (question) => (question.touch === "windows" ? ["alpha", "beta", "value"] : ["value"]);

/** @param {Question} question @param {Done} done @param {number} node */
const written = (question, done, node) => (question.touch === "windows" ? (done.windows.get(node) ?? ["", "", ""]) : [done.values.get(node) ?? ""]);

/** A button that writes a sign into the box that has the focus. @param {string} sign */
export function signButton(sign) {
  const insert = () => {
    const box = document.activeElement;
    if (!(box instanceof HTMLInputElement)) return;
    box.setRangeText(sign === "−" ? "-" : sign, box.selectionStart ?? 0, box.selectionEnd ?? 0, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const keepFocus = (/** @type {Event} */ event) => event.preventDefault();
  return element("button", { type: "button", class: "sign", onmousedown: keepFocus, onclick: insert }, sign);
}

/** The boxes at one node, and at all nodes as a table. */
export class Boxes {
  /** @param {import("./tree.js").TreeView} view
   * @param {(done: Done) => void} changed @param {(node: number) => void} shown */
  constructor(view, changed, shown) {
    this.view = view;
    this.changed = changed;
    this.shown = shown;
    this.entry = part("entry");
    /** @type {Question|undefined} */
    this.question = undefined;
    /** @type {Done|undefined} */
    this.done = undefined;
    this.node = -1;
    this.entry.addEventListener("keydown", (event) => this.pressed(event));
    this.entry.addEventListener("focusin", () => this.offerSigns(true));
    this.entry.addEventListener("focusout", (event) => {
      const next = event.relatedTarget;
      if (next instanceof Element && (this.entry.contains(next) || part("keypad").contains(next))) return;
      this.offerSigns(false);
      if (next && !(next instanceof SVGElement)) this.close();
    });
    part("keypad").replaceChildren(...KEYPAD.map(signButton));
  }

  /** @param {boolean} wanted */
  offerSigns(wanted) {
    part("keypad").hidden = !wanted || !matchMedia("(pointer: coarse)").matches;
  }

  /** Answer another question. @param {Question} question @param {Done} done */
  start(question, done) {
    this.question = question;
    this.done = done;
    this.close();
    this.table();
  }

  /** Show the boxes of a node, where it is. @param {number} node @param {boolean} focus */
  open(node, focus) {
    const { question, done } = this;
    if (!question || !done || !typable(question, node)) return this.close();
    this.node = node;
    this.entry.replaceChildren(...this.boxesOf(node, "entry"));
    this.entry.hidden = false;
    const frame = this.entry.offsetParent?.getBoundingClientRect();
    this.view.reveal(node);
    const item = this.view.items[node];
    const shape = item.querySelector(".box") ?? item.querySelector(".shape");
    const under = item.querySelector(".box") && !item.querySelector(".value.beside"); // not to hide the label
    const at = shape?.getBoundingClientRect();
    if (frame && at) {
      const [x, y] = [at.left - frame.left, at.top - frame.top + (under ? 0 : (at.height - this.entry.offsetHeight) / 2)];
      this.entry.style.left = `${Math.max(0, Math.min(x - 2, frame.width - this.entry.offsetWidth))}px`;
      this.entry.style.top = `${Math.max(0, y)}px`;
    }
    this.shown(node);
    const first = this.entry.querySelector("input");
    if (focus) {
      first?.focus();
      first?.select();
    }
  }

  close() {
    if (this.entry.hidden) return;
    this.node = -1;
    this.entry.hidden = true;
    this.offerSigns(false);
    this.shown(-1);
  }

  /** Enter and Tab go to the next box, Escape goes back to the tree. @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      const { node } = this;
      this.close();
      return this.view.go(node);
    }
    if (event.key !== "Enter" && event.key !== "Tab") return;
    const boxes = [...this.entry.querySelectorAll("input")];
    const place = boxes.indexOf(/** @type {HTMLInputElement} */ (event.target)) + (event.shiftKey ? -1 : 1);
    if (event.key === "Tab" && boxes[place]) return; // the browser goes there
    event.preventDefault();
    if (boxes[place]) return boxes[place].focus();
    const next = this.following(event.shiftKey ? -1 : 1);
    if (next === undefined) {
      const { node } = this;
      this.close();
      return this.view.go(node);
    }
    this.view.go(next, false);
    this.open(next, true);
    if (event.shiftKey) [...this.entry.querySelectorAll("input")].pop()?.focus();
  }

  /** The node before or after this one at which something is asked. @param {number} step */
  following(step) {
    const { question, node } = this;
    if (!question) return undefined;
    const asked = question.asked.length ? question.asked : [...question.nodes.keys()].filter((each) => typable(question, each));
    return asked[asked.indexOf(node) + step];
  }

  /** The boxes of a node: its value, or alpha, beta and value. @param {number} node @param {string} stem @returns {HTMLElement[]} */
  boxesOf(node, stem) {
    const { question, done } = this;
    if (!question || !done) return [];
    const { title, spelled } = question.nodes[node];
    const values = written(question, done, node);
    return boxNames(question).map((name, place) => element("input", {
      id: `${stem}-${node}-${name}`, value: values[place], size: 5, autocomplete: "off", autocapitalize: "off", spellcheck: "false", inputmode: "decimal",
      enterkeyhint: "next", placeholder: name === "value" ? "" : { alpha: "α", beta: "β" }[name],
      "aria-label": say("box_at", { name: say(name), node: title || spelled }),
      oninput: (/** @type {Event} */ event) => this.write(node, place, /** @type {HTMLInputElement} */ (event.target).value),
    }));
  }

  /** @param {number} node @param {number} place @param {string} value */
  write(node, place, value) {
    const { question, done } = this;
    if (!question || !done) return;
    const text = value.trim();
    if (question.touch === "windows") {
      const window = [...(done.windows.get(node) ?? ["", "", ""])];
      window[place] = text;
      if (window.some(Boolean)) done.windows.set(node, window);
      else done.windows.delete(node);
    } else if (text) done.values.set(node, text);
    else done.values.delete(node);
    this.changed(done);
  }

  // The same as a table

  table() {
    const { question } = this;
    const kinds = {
      leaves: "leaf", branches: "any", order: "leaf", orders: "any", choices: "any", leaf: "leaf", child: "child",
      values: "typed", windows: "typed", numbers: "typed", payoffs: "typed",
    };
    const wanted = kinds[/** @type {keyof typeof kinds} */ (question?.touch)];
    part("as-table").hidden = !question || !wanted || question.nodes.length > 400;
    part("table").replaceChildren();
    if (!question || part("as-table").hidden) return;
    const rows = question.nodes.map((node, index) => {
      const leaf = node.player === null;
      if ((wanted === "leaf" && !leaf) || (wanted === "typed" && !typable(question, index)) || (wanted === "child" && node.parent !== 0)) return "";
      if (wanted === "any" && node.parent < 0) return "";
      const parent = node.parent < 0 ? "" : question.nodes[node.parent].title;
      const name = spokenName(node);
      const box = () => element("input", { type: "checkbox", "data-row": index, "aria-label": name, onchange: () => this.view.options.touch?.(index, "touch") });
      const control = wanted === "typed" ? this.boxesOf(index, "row") : [box()];
      return element("tr", {}, element("th", { scope: "row" }, isolated(name)), element("td", {}, isolated(parent)), element("td", {}, ...control));
    });
    const last = wanted !== "typed" ? say("reply") : boxNames(question).map((name) => say(name)).join(" ");
    const heads = [say("node"), say("parent"), last].map((text) => element("th", { scope: "col" }, text));
    part("table").replaceChildren(element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  }

  /** Make the boxes and the table say what is done. @param {Done} done */
  fill(done) {
    const { question } = this;
    this.done = done;
    if (!question) return;
    for (const box of [...part("table").querySelectorAll("input"), ...this.entry.querySelectorAll("input")]) {
      if (box.type === "checkbox") {
        const node = Number(box.dataset.row);
        box.checked = done.crossed.has(node) || done.picked.has(node) || done.order.includes(node) || done.chosen === node;
      } else if (box !== document.activeElement) {
        const [, node, name] = box.id.split("-");
        box.value = written(question, done, Number(node))[boxNames(question).indexOf(name)] ?? "";
      }
    }
  }
}
