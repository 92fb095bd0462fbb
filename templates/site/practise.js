// Practise: a question, an answer in the tree or as text, its mark with the reasons, and the next question.

import { ask } from "./marker.js";
import { entries, keep, mastered } from "./progress.js";
import { nothing, pictured, read, touch, write } from "./reply.js";
import { TreeView } from "./tree.js";
import { element, heard, isolated, part, phrased, say, setup, soon } from "./words.js";

const TYPED = ["values", "windows", "numbers", "payoffs"];

/** Whether something is typed at a node. @param {Question} question @param {TreeNode} node */
function typable({ touch: how }, node) {
  return how === "numbers" || (how === "payoffs" ? node.player === null : node.player !== null && TYPED.includes(how));
}

const BEGIN = Math.floor(Math.random() * 1000);

export class Practice {
  constructor() {
    this.kind = part("kind", HTMLSelectElement);
    this.level = part("level", HTMLSelectElement);
    this.text = part("reply", HTMLTextAreaElement);
    /** @type {Asked} */
    this.asked = setup.first[setup.start][setup.levels[0]];
    this.done = nothing();
    this.hints = 0;
    this.marked = false;
    this.turn = 0; // what was asked of the grader before is not shown any more
    this.counts = true; // whether a mark is kept: once for a question, and not after its answer was shown
    this.seen = entries().map((entry) => entry.exercise);
    this.view = new TreeView(part("stage"), {
      label: say("tree_label"), touch: (node, key) => this.touched(node, key), walk: (node) => this.walked(node),
    });
    this.kind.addEventListener("change", () => this.next(true));
    this.level.addEventListener("change", () => this.next(true));
    const understand = soon(() => void this.understand(), 350);
    this.text.addEventListener("input", () => {
      this.typed();
      understand();
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || !this.asked.question.several_lines)) {
        event.preventDefault();
        void this.mark();
      }
    });
    part("mark").addEventListener("click", () => void this.mark());
    part("hint").addEventListener("click", () => void this.hint());
    part("answer").addEventListener("click", () => void this.answer());
    part("clear").addEventListener("click", () => this.change(nothing()));
    part("next").addEventListener("click", () => void this.next(false));
    this.start(this.asked);
  }

  /** Ask a question. @param {Asked} asked */
  start(asked) {
    const { question } = asked;
    this.asked = asked;
    this.hints = 0;
    this.marked = false;
    this.turn++;
    this.counts = true;
    const conditions = question.prompt.slice(question.question.length);
    part("prompt").replaceChildren(element("strong", {}, question.question), conditions);
    part("prompt").dataset.exercise = question.id;
    this.view.focus = 0;
    this.view.picture = {};
    part("stage").hidden = !question.nodes.length; // some questions are about no tree
    this.view.show(question.nodes, { tall: question.touch === "windows", paths: question.paths });
    part("stage").classList.toggle("crossing", ["leaves", "branches"].includes(question.touch));
    this.text.placeholder = say("for_example", { reply: question.example });
    this.text.rows = question.several_lines ? 3 : 1;
    part("how").textContent = say(`how_${question.touch || (question.choices.length ? "offered" : "written")}`);
    part("entry").hidden = true;
    this.offer();
    for (const name of ["verdict", "told", "table"]) part(name).replaceChildren();
    part("next").classList.remove("primary");
    part("mark").classList.add("primary");
    this.change(nothing());
    this.table();
  }

  /** Answers to choose from, and signs that phones hide, beside the text. */
  offer() {
    const { id, choices, signs } = this.asked.question;
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

  /** The next question; at once the first of a kind, if there is one. @param {boolean} other whether another kind was chosen */
  async next(other) {
    const [kind, level] = [this.kind.value, this.level.value];
    const first = setup.first[kind]?.[level];
    if (other && first && !this.seen.includes(first.exercise.id)) return this.start(first);
    const own = entries().filter((entry) => entry.kind === kind);
    part("verdict").textContent = say("waiting");
    const turn = ++this.turn;
    const asked = await ask({
      ask: "next", kind, level, start: BEGIN, notes: own.slice(-20).map((entry) => entry.notes),
      seen: this.seen.slice(-500).concat(this.asked.exercise.id),
    });
    if (turn !== this.turn) return;
    if (asked.errors) return this.failed(asked.errors);
    this.seen.push(asked.exercise.id);
    this.start(/** @type {Asked} */ (/** @type {unknown} */ (asked)));
    part("prompt").focus();
  }

  /** @param {Fault[]} errors */
  failed(errors) {
    part("verdict").textContent = errors.map((each) => `${each.message} ${each.hint}`).join(" ");
  }

  // The answer, in the tree and as text

  /** @param {Done} done */
  change(done) {
    this.done = done;
    this.text.value = write(this.asked.question, done);
    for (const box of part("offer").querySelectorAll("input")) box.checked = false;
    this.paint();
    this.fill();
  }

  paint() {
    if (!this.marked) this.view.paint(pictured(this.asked.question, this.done));
  }

  /** The text was edited. */
  typed() {
    const done = read(this.asked.question, this.text.value);
    for (const box of part("offer").querySelectorAll("input")) box.checked = box.value === this.text.value.trim();
    this.text.classList.toggle("apart", done === null && this.asked.question.touch !== "");
    if (done === null) return;
    this.done = done;
    this.paint();
    this.fill();
  }

  /** A reply in words of one's own is shown as the grader understands it. */
  async understand() {
    const { question, exercise } = this.asked;
    const text = this.text.value;
    if (!question.touch || read(question, text) !== null) return;
    const answer = await ask({ ask: "mark", exercise, reply: text });
    const done = answer.understood ? read(question, answer.understood) : null;
    if (done === null || this.text.value !== text || this.asked.question !== question) return;
    this.text.classList.remove("apart");
    this.done = done;
    this.paint();
  }

  /** @param {number} node @param {string} key */
  touched(node, key) {
    const { question } = this.asked;
    if (this.marked || !["touch", "c", " ", "Enter"].includes(key)) {
      if (/^[-\d]$/.test(key)) this.enter(node, true);
      return;
    }
    if (TYPED.includes(question.touch)) this.enter(node, true);
    else if (touch(question, this.done, node)) this.change(this.done);
  }

  /** @param {number} node */
  walked(node) {
    if (!part("entry").hidden) this.enter(node, false);
  }

  /** Show the boxes for what is written at a node. @param {number} node @param {boolean} focus */
  enter(node, focus) {
    const { question } = this.asked;
    const own = question.nodes[node];
    const entry = part("entry");
    entry.hidden = this.marked || !typable(question, own);
    if (entry.hidden) return;
    const boxes = this.boxes(node, "entry");
    entry.replaceChildren(element("span", { class: "where" }, say("at_node"), " ", isolated(own.title || own.spelled)), ...boxes);
    const first = entry.querySelector("input");
    if (focus) first?.focus();
    entry.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      this.view.go(node);
    };
  }

  /** The boxes of a node: its value, or alpha, beta and value. @param {number} node @param {string} stem @returns {HTMLElement[]} */
  boxes(node, stem) {
    const { question } = this.asked;
    const names = question.touch === "windows" ? ["alpha", "beta", "value"] : ["value"];
    return names.map((name, place) => {
      const id = `${stem}-${node}-${name}`;
      const value = question.touch === "windows" ? (this.done.windows.get(node)?.[place] ?? "") : (this.done.values.get(node) ?? "");
      const box = element("input", {
        id, value, size: 6, autocomplete: "off", spellcheck: "false",
        oninput: (/** @type {Event} */ event) => this.write(node, place, /** @type {HTMLInputElement} */ (event.target).value),
      });
      const plain = stem === "entry" || names.length > 1;
      return element("label", { for: id }, plain ? `${say(name)} ` : "", box);
    });
  }

  /** @param {number} node @param {number} place @param {string} value */
  write(node, place, value) {
    const text = value.trim();
    if (this.asked.question.touch !== "windows") {
      if (text) this.done.values.set(node, text);
      else this.done.values.delete(node);
    } else {
      const window = [...(this.done.windows.get(node) ?? ["", "", ""])];
      window[place] = text;
      if (window.some(Boolean)) this.done.windows.set(node, window);
      else this.done.windows.delete(node);
    }
    this.text.value = write(this.asked.question, this.done);
    this.paint();
    this.fill();
  }

  // The same as a table

  table() {
    const { question } = this.asked;
    const kinds = {
      leaves: "leaf", branches: "any", order: "leaf", orders: "any", choices: "any", leaf: "leaf", child: "child",
      values: "typed", windows: "typed", numbers: "typed", payoffs: "typed",
    };
    const wanted = kinds[/** @type {keyof typeof kinds} */ (question.touch)];
    part("as-table").hidden = !wanted || question.nodes.length > 400;
    if (part("as-table").hidden) return;
    const rows = question.nodes.map((node, index) => {
      const leaf = node.player === null;
      if ((wanted === "leaf" && !leaf) || (wanted === "typed" && !typable(question, node)) || (wanted === "child" && node.parent !== 0)) return "";
      if (wanted === "any" && node.parent < 0) return "";
      const parent = node.parent < 0 ? "" : question.nodes[node.parent].title;
      const name = leaf ? say("leaf_called", { path: node.path, payoff: node.shown }) : say("node_called", { player: node.player ?? "", name: node.title });
      const control = wanted === "typed" ? this.boxes(index, "row") : [this.checkbox(index, name)];
      return element("tr", {}, element("th", { scope: "row" }, isolated(name)), element("td", {}, isolated(parent)), element("td", {}, ...control));
    });
    const heads = ["node", "parent", TYPED.includes(question.touch) && question.touch !== "windows" ? "value" : "reply"].map((key) => element("th", { scope: "col" }, say(key)));
    part("table").replaceChildren(element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
    for (const input of part("table").querySelectorAll("tbody tr")) {
      const box = input.querySelector("input");
      if (wanted === "typed" && question.touch !== "windows") box?.setAttribute("aria-label", input.querySelector("th")?.textContent ?? "");
    }
  }

  /** @param {number} node @param {string} name */
  checkbox(node, name) {
    return element("input", {
      type: "checkbox", "data-row": node, "aria-label": name,
      onchange: () => touch(this.asked.question, this.done, node) && this.change(this.done),
    });
  }

  /** Make the table say what is done. */
  fill() {
    const { question } = this.asked;
    for (const box of part("table").querySelectorAll("input")) {
      if (box.type === "checkbox") {
        const node = Number(box.dataset.row);
        box.checked = this.done.crossed.has(node) || this.done.picked.has(node) || this.done.order.includes(node) || this.done.chosen === node;
      } else if (box !== document.activeElement) {
        const [, node, name] = box.id.split("-");
        const window = this.done.windows.get(Number(node)) ?? [];
        const value = question.touch === "windows" ? window[["alpha", "beta", "value"].indexOf(name)] : this.done.values.get(Number(node));
        box.value = value ?? "";
      }
    }
  }

  // Marks, hints and answers

  async mark() {
    const { exercise, question } = this.asked;
    const reply = this.text.value;
    const turn = ++this.turn;
    part("verdict").textContent = say("waiting");
    const mark = await ask({ ask: "mark", exercise, reply });
    if (turn !== this.turn) return;
    if (mark.errors) return this.failed(mark.errors);
    const told = part("told");
    told.replaceChildren();
    if (mark.state === "BLANK") part("verdict").textContent = say("blank");
    else if (mark.state !== "GRADED") part("verdict").textContent = say("unread", { why: mark.message });
    if (mark.state !== "GRADED") return this.text.focus();
    const full = mark.points === mark.max;
    part("verdict").textContent = say(full ? "right" : "earned", { points: mark.points, max: mark.max });
    part("verdict").className = full ? "right" : "wrong";
    this.marked = true;
    this.show(mark);
    if (this.counts) {
      const time = Date.now();
      keep({ time, exercise: exercise.id, kind: question.kind, level: this.level.value, reply: reply.slice(0, 500), points: mark.points, max: mark.max, notes: mark.notes });
      this.counts = false;
      mastery();
    }
    const said = await ask({ ask: "remarks", exercise, reply });
    if (turn !== this.turn) return;
    if (said.diagnosis?.length) {
      const notes = said.diagnosis.map((/** @type {string} */ note) => element("p", {}, note));
      told.append(element("li", { class: "diagnosis" }, element("strong", {}, said.lead), ...notes));
    }
    for (const remark of said.remarks ?? []) {
      if (full && said.remarks.length < 2 && !remark.text) continue;
      const items = element("strong", {}, isolated(remark.items.join(", ")));
      const words = phrased("remark", { items, verdict: say(`is_${remark.verdict}`), text: remark.text });
      told.append(element("li", { class: remark.verdict }, ...words));
    }
    if (!full) told.append(element("li", { class: "again" }, element("button", { type: "button", onclick: () => this.again() }, say("again"))));
    part("mark").classList.remove("primary");
    part("next").classList.add("primary");
  }

  /** Show what is right and wrong in the tree. @param {any} mark */
  show(mark) {
    const { nodes } = this.asked.question;
    const named = new Map(nodes.map((node, index) => [node.name, index]));
    const marks = new Map();
    for (const { name, verdict, right } of mark.items) {
      const node = named.get(name);
      if (node !== undefined) marks.set(node, { sign: verdict, said: heard(verdict, right) });
    }
    this.view.paint({ ...pictured(this.asked.question, this.done), marks });
  }

  /** Try the same question again. */
  again() {
    this.marked = false;
    part("verdict").replaceChildren();
    part("told").replaceChildren();
    this.paint();
    this.text.focus();
  }

  async hint() {
    const turn = ++this.turn;
    const answer = await ask({ ask: "hint", exercise: this.asked.exercise, number: ++this.hints });
    if (turn !== this.turn) return;
    if (answer.errors) return this.failed(answer.errors);
    part("verdict").className = "";
    part("verdict").textContent = answer.more ? say("hints") : say("last_hint");
    part("told").replaceChildren(...answer.hints.map((/** @type {string} */ hint) => element("li", { class: "step" }, hint)));
  }

  async answer() {
    const turn = ++this.turn;
    const answer = await ask({ ask: "answer", exercise: this.asked.exercise });
    if (turn !== this.turn) return;
    if (answer.errors) return this.failed(answer.errors);
    const steps = element("ol", {}, ...answer.steps.map((/** @type {string} */ step) => element("li", {}, step)));
    part("verdict").className = "";
    part("verdict").textContent = say("answer_is", { answer: answer.answer });
    part("told").replaceChildren(
      ...answer.because.map((/** @type {string} */ why) => element("li", { class: "step" }, why)),
      element("li", {}, element("details", {}, element("summary", {}, say("all_steps")), steps)),
    );
    const done = read(this.asked.question, answer.reply);
    this.marked = true;
    this.counts = false;
    if (done) this.view.paint(pictured(this.asked.question, done));
    part("next").classList.add("primary");
  }
}

/** The picture of what one masters, kind by kind. */
export function mastery() {
  const rows = setup.kinds.flatMap((/** @type {{code: string, title: string}} */ kind) => {
    const { count, share } = mastered(kind.code);
    if (!count) return [];
    const text = say("mastered", { percent: Math.round(100 * share), count });
    const bar = element("meter", { min: 0, max: 1, low: 0.5, high: 0.8, optimum: 1, value: share, "aria-label": kind.title }, text);
    return [element("tr", {}, element("th", { scope: "row" }, kind.title), element("td", {}, bar), element("td", {}, text))];
  });
  const none = element("tr", {}, element("td", {}, say("not_tried")));
  part("mastery").replaceChildren(element("tbody", {}, ...(rows.length ? rows : [none])));
}
