// A phone of a class: the question, an answer in the tree or as text, and what became of it.

import { Boxes, TYPED, typable } from "./boxes.js";
import { ask } from "./marker.js";
import { nothing, pictured, read, touch, write } from "./reply.js";
import { TreeView } from "./tree.js";
import { element, part, say } from "./words.js";

const PHONE_PAUSE = 2000; // milliseconds between two looks, and up to half as much again: phones do not ask all at once

const PHONE_KEY = "class phone";
/** What this phone is known by until its tab is closed: numbers that say nothing of it. */
const phone = sessionStorage.getItem(PHONE_KEY) ?? [...crypto.getRandomValues(new Uint32Array(4))].map((each) => each.toString(36)).join("");
sessionStorage.setItem(PHONE_KEY, phone);

class Phone {
  constructor() {
    this.text = part("reply", HTMLTextAreaElement);
    /** @type {Question|undefined} */
    this.question = undefined;
    this.done = nothing();
    this.known = 0;
    this.attempt = 0;
    this.sent = ""; // the reply that the teacher's program has
    this.current = -1; // the node whose boxes are open
    this.view = new TreeView(part("stage"), {
      label: say("tree_label"), touch: (node, key) => this.touched(node, key),
      walk: (node) => { if (this.current >= 0 && this.question && typable(this.question, node)) this.boxes.open(node, false); },
    });
    this.boxes = new Boxes(this.view, (done) => this.change(done), (node) => {
      this.current = node;
      this.paint();
    });
    this.text.addEventListener("input", () => this.typed());
    part("send").addEventListener("click", () => void this.send());
    void this.follow();
  }

  async follow() {
    const state = await ask({ ask: "look", phone, known: this.known });
    if (state.errors) part("state").textContent = state.errors[0].message;
    else this.show(state);
    setTimeout(() => void this.follow(), PHONE_PAUSE * (1 + Math.random() / 2));
  }

  /** @param {import("./marker.js").Answer} state */
  show(state) {
    if (state.question) this.start(state.question);
    if (state.question || state.attempt !== this.attempt) this.begin(state.number, state.attempt ?? 0, state.reply ?? "");
    if (!state.number) {
      this.question = undefined;
      this.known = 0;
    }
    part("answering").hidden = !state.number;
    part("send", HTMLButtonElement).disabled = !state.is_open;
    this.text.disabled = !state.is_open;
    part("state").textContent = state.number ? (state.is_open ? (state.attempt > 1 ? say("second_now") : "") : say(state.verdict ? "question_closed" : "answer_closed")) : say("wait_for_question");
    if (state.verdict) this.tell(state.verdict);
  }

  /** @param {Question} question */
  start(question) {
    this.question = question;
    part("prompt").textContent = question.question;
    part("special").textContent = [...question.labels, question.special].filter(Boolean).join(" · ");
    part("rules-text").replaceChildren(...question.rules.map((rule) => element("p", {}, rule)));
    part("answering").hidden = false;
    part("frame").hidden = !question.nodes.length;
    const checks = ["leaves", "branches"].includes(question.touch);
    const beside = { windows: 86, values: 30, numbers: 34 }[question.touch] ?? 0;
    this.view.focus = 0;
    this.view.picture = {};
    this.view.show(question.nodes, { beside, paths: question.paths, asked: new Set(question.asked), checks });
    part("stage").classList.toggle("crossing", checks);
    this.text.placeholder = say("for_example", { reply: question.example });
    this.text.rows = question.several_lines ? 2 : 1;
    part("how").textContent = say(`how_${question.touch || (question.choices.length ? "offered" : "written")}`);
    const options = question.choices.map(({ reply, text }) => {
      const box = element("input", { type: "radio", name: "choice", value: reply, onchange: () => {
        this.text.value = reply;
        this.typed();
      } });
      return element("label", {}, box, " ", text);
    });
    part("offer").replaceChildren(...options);
    part("offer").hidden = !options.length;
  }

  /** A question or its second try begins; a page that was loaded again has its reply back.
   * @param {number} number @param {number} attempt @param {string} reply */
  begin(number, attempt, reply) {
    [this.known, this.attempt, this.sent] = [number, attempt, reply];
    part("told").replaceChildren();
    if (!this.question) return;
    this.done = nothing();
    this.boxes.start(this.question, this.done);
    this.text.value = reply;
    this.typed();
  }

  /** Something was done to the tree. @param {Done} done */
  change(done) {
    this.done = done;
    if (this.question) this.text.value = write(this.question, done);
    this.edited();
  }

  /** The text was edited. */
  typed() {
    const done = this.question ? read(this.question, this.text.value) : null;
    for (const box of part("offer").querySelectorAll("input")) box.checked = box.value === this.text.value.trim();
    if (done) this.done = done;
    this.edited();
  }

  edited() {
    part("verdict").className = "";
    part("verdict").textContent = this.sent && this.sent === this.text.value ? say("answer_arrived") : "";
    this.boxes.fill(this.done);
    this.paint();
  }

  paint() {
    if (this.question) this.view.paint({ ...pictured(this.question, this.done), current: this.current });
  }

  /** @param {number} node @param {string} key */
  touched(node, key) {
    const { question } = this;
    if (!question || this.text.disabled) return;
    if (TYPED.includes(question.touch)) this.boxes.open(node, true);
    else if (["touch", "c", " ", "Enter"].includes(key) && touch(question, this.done, node)) this.change(this.done);
  }

  async send() {
    const reply = this.text.value;
    this.boxes.close();
    part("verdict").className = "";
    part("verdict").textContent = say("waiting");
    const answer = await ask({ ask: "answer", phone, number: this.known, attempt: this.attempt, reply });
    if (!answer.errors) this.sent = reply;
    part("verdict").textContent = answer.errors ? answer.errors.map((each) => `${each.message} ${each.hint}`).join(" ") : say("answer_arrived");
  }

  /** Tell at the end what is correct. @param {{is_correct: boolean, is_answered: boolean, reasons: string[], answer: string}} verdict */
  tell(verdict) {
    part("verdict").className = verdict.is_correct ? "right" : "wrong";
    part("verdict").textContent = say(verdict.is_correct ? "verdict_correct" : verdict.is_answered ? "verdict_other" : "verdict_none");
    const answer = verdict.is_correct ? [] : [say("answer_is", { answer: verdict.answer })];
    part("told").replaceChildren(...[...verdict.reasons, ...answer].map((text) => element("li", {}, text)));
  }
}

new Phone();
