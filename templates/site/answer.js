// The answer to a question, in its tree, in boxes and as text: all are one thing, and each follows the others.

import { Boxes, TYPED, typable } from "./boxes.js";
import { nothing, pictured, read, touch, write } from "./reply.js";
import { TreeView } from "./tree.js";
import { element, part, say } from "./words.js";

const CROSSED = ["leaves", "branches"]; // what is crossed out, where a question asks for that
const ROOM_BESIDE = { windows: 86, values: 30, numbers: 34 }; // pixels for what is written right of a node
const TOUCHES = ["touch", "c", " ", "Enter"]; // a mouse or finger, and the keys that do the same

export class AnswerArea {
  constructor() {
    this.text = part("reply", HTMLTextAreaElement);
    /** @type {Question|undefined} */
    this.question = undefined;
    this.done = nothing();
    this.current = -1; // the node whose boxes are open
    this.view = new TreeView(part("stage"), { label: say("tree_label"), touch: (node, key) => this.touched(node, key), walk: (node) => this.walked(node) });
    this.boxes = new Boxes(this.view, (done) => this.change(done), (node) => {
      this.current = node;
      this.paint();
    });
    this.text.addEventListener("input", () => this.typed());
  }

  /** Show a question and the places for its answer. @param {Question} question */
  pose(question) {
    this.question = question;
    part("prompt").textContent = question.question;
    part("prompt").dataset.exercise = question.id;
    part("rules-text").replaceChildren(...question.rules.map((rule) => element("p", {}, rule)));
    part("frame").hidden = !question.nodes.length; // some questions are about no tree
    const checks = CROSSED.includes(question.touch);
    const beside = ROOM_BESIDE[/** @type {keyof typeof ROOM_BESIDE} */ (question.touch)] ?? 0;
    this.view.focus = 0;
    this.view.picture = {};
    this.view.show(question.nodes, { beside, paths: question.paths, asked: new Set(question.asked), checks });
    part("stage").classList.toggle("crossing", checks);
    this.text.placeholder = say("for_example", { reply: question.example });
    this.text.rows = question.several_lines ? 2 : 1;
    part("how").textContent = say(`how_${question.touch || (question.choices.length ? "offered" : "written")}`);
    this.boxes.start(question, this.done);
    this.offer(question);
  }

  /** Answers to choose from, and signs that phones hide, beside the text. @param {Question} question */
  offer({ id, choices, signs }) {
    const buttons = signs.map((sign) => element("button", { type: "button", class: "sign", onclick: () => this.insert(sign) }, sign));
    const options = choices.map(({ reply, text }) => {
      const box = element("input", { type: "radio", name: `choice-${id}`, value: reply, onchange: () => {
        this.text.value = reply;
        this.typed();
      } });
      return element("label", {}, box, " ", text);
    });
    part("offer").replaceChildren(...options, ...buttons);
    part("offer").hidden = !options.length && !buttons.length;
  }

  /** Write a sign where the cursor is. @param {string} sign */
  insert(sign) {
    const { selectionStart: start, selectionEnd: end, value } = this.text;
    const before = `${value.slice(0, start).trimEnd()} ${sign} `.trimStart();
    this.text.value = before + value.slice(end).trimStart();
    this.text.focus();
    this.text.setSelectionRange(before.length, before.length);
    this.typed();
  }

  /** Something was done to the tree or written in a box. @param {Done} done */
  change(done) {
    this.done = done;
    if (this.question) this.text.value = write(this.question, done);
    this.edited();
  }

  /** The text was edited. */
  typed() {
    const done = this.question ? read(this.question, this.text.value) : null;
    if (done) this.done = done;
    this.edited();
    this.text.classList.toggle("apart", done === null && Boolean(this.question?.touch));
  }

  /** The answer is another one: everything that shows it follows. */
  edited() {
    for (const box of part("offer").querySelectorAll("input")) box.checked = box.value === this.text.value.trim();
    this.text.classList.remove("apart");
    this.boxes.fill(this.done);
    this.paint();
  }

  /** @param {Picture} [more] what else the tree shows */
  paint(more = {}) {
    if (this.question) this.view.paint({ ...pictured(this.question, this.done), ...more, current: this.current });
  }

  /** @param {number} node @param {string} key */
  touched(node, key) {
    const { question } = this;
    if (!question || this.text.disabled) return;
    if (TYPED.includes(question.touch)) {
      if (TOUCHES.includes(key) || /^[-\d]$/.test(key)) this.boxes.open(node, true);
    } else if (TOUCHES.includes(key) && touch(question, this.done, node)) this.change(this.done);
  }

  /** @param {number} node */
  walked(node) {
    if (this.current >= 0 && this.question && typable(this.question, node)) this.boxes.open(node, false);
  }
}
