// A phone of a class: the question, an answer in the tree or as text, and what became of it.

import { AnswerArea } from "./answer.js";
import { ask } from "./marker.js";
import { nothing } from "./reply.js";
import { element, paragraph, part, say } from "./words.js";

const PHONE_PAUSE = 2000; // milliseconds between two looks, and up to half as much again: phones do not ask all at once

const PHONE_KEY = "class phone";
/** What this phone is known by until its tab is closed: numbers that say nothing of it. */
const phone = sessionStorage.getItem(PHONE_KEY) ?? [...crypto.getRandomValues(new Uint32Array(4))].map((each) => each.toString(36)).join("");
sessionStorage.setItem(PHONE_KEY, phone);

class Phone extends AnswerArea {
  constructor() {
    super();
    this.known = 0;
    this.attempt = 0;
    this.sent = ""; // the reply that the teacher's program has
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
    for (const name of ["offer", "as-table"]) part(name).inert = !state.is_open;
    if (!state.is_open) this.boxes.close();
    part("state").textContent = state.number ? (state.is_open ? (state.attempt > 1 ? say("second_now") : "") : say(state.verdict ? "question_closed" : "answer_closed")) : say("wait_for_question");
    if (state.verdict) this.tell(state.verdict);
  }

  /** @param {Question} question */
  start(question) {
    part("answering").hidden = false; // what is not shown has no width
    part("special").textContent = [...question.labels, question.special].filter(Boolean).join(" · ");
    this.pose(question);
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

  edited() {
    part("verdict").className = "";
    part("verdict").textContent = this.sent && this.sent === this.text.value ? say("answer_arrived") : "";
    super.edited();
  }

  async send() {
    const reply = this.text.value;
    this.boxes.close();
    part("verdict").className = "";
    part("verdict").textContent = say("waiting");
    const answer = await ask({ ask: "answer", phone, number: this.known, attempt: this.attempt, reply });
    if (!answer.errors) this.sent = reply;
    part("verdict").textContent = answer.errors ? paragraph(...answer.errors.flatMap((each) => [each.message, each.hint])) : say("answer_arrived");
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
