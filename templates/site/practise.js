// Practise: a question, an answer in the tree or as text, its mark in two steps, and the next question.

import { AnswerArea } from "./answer.js";
import { firstWords, hintItems, litPaths, marksOf, reasons } from "./feedback.js";
import { keepWork, keptWork } from "./kept.js";
import { ask, nextQuestion } from "./marker.js";
import { entries, keep, mastered, overcome, share, verdictName } from "./progress.js";
import { nothing, read } from "./reply.js";
import { copyText, element, paragraph, part, say, setup, soon } from "./words.js";

const BEGIN = Math.floor(Math.random() * 1000);
const TRIES = 2; // that count, before the key is shown
const LONG = 130; // characters of conventions that are folded where there is little room
const SMALL = 8; // nodes of a tree that leaves room for them

export class Practice extends AnswerArea {
  constructor() {
    super();
    this.kind = part("kind", HTMLSelectElement);
    this.level = part("level", HTMLSelectElement);
    /** @type {Asked} */
    this.asked = setup.first[setup.start][setup.levels[0]];
    this.language = setup.speaking.code; // in which it is shown
    this.hints = 0;
    this.tries = 0;
    this.turn = 0; // what was asked of the grader before is not shown any more
    this.counts = true; // whether a mark is kept: not after the answer was shown, or a hint told it
    /** @type {any} */
    this.marked = null; // the mark that is shown
    this.key = false; // whether it is shown with the key
    /** @type {number[]} */
    this.lit = [];
    this.seen = entries().map((entry) => entry.exercise);
    this.kind.addEventListener("change", () => void this.next());
    this.level.addEventListener("change", () => void this.next());
    this.text.addEventListener("input", soon(() => void this.understand(), 350));
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || !this.asked.question.several_lines)) {
        event.preventDefault();
        void this.mark();
      }
    });
    part("mark").addEventListener("click", () => void this.mark());
    part("hint").addEventListener("click", () => void this.hint());
    part("answer").addEventListener("click", () => void this.answer());
    part("clear").addEventListener("click", () => this.again());
    part("next").addEventListener("click", () => void this.next());
    part("share").addEventListener("click", () => void this.share());
    part("larger").addEventListener("click", () => this.view.enlarge(1.25));
    part("smaller").addEventListener("click", () => this.view.enlarge(0.8));
    part("more").addEventListener("click", () => this.menu(Boolean(part("menu").hidden)));
    addEventListener("click", (event) => event.target !== part("more") && this.menu(false));
    addEventListener("keydown", (event) => event.key === "Escape" && this.menu(false));
    this.menu(false);
    for (const change of ["resize", "scroll"]) window.visualViewport?.addEventListener(change, lift);
    matchMedia("(max-width: 48rem)").addEventListener("change", () => this.menu(false));
    this.kind.value = setup.start;
    const kept = /** @type {KeptQuestion|null} */ (keptWork("practise"));
    if (kept?.asked?.question?.nodes && [...this.kind.options].some((each) => each.value === kept.kind)) this.resume(kept);
    else this.start(this.asked);
  }

  /** Show what is used less often; where there is room it is always there. @param {boolean} open */
  menu(open) {
    part("menu").hidden = !open && matchMedia("(max-width: 48rem)").matches;
    part("more").setAttribute("aria-expanded", String(!part("menu").hidden));
  }

  /** Go on with what was there before the page was loaded again. @param {KeptQuestion} kept */
  resume(kept) {
    this.kind.value = kept.kind;
    this.level.value = kept.level;
    this.start(kept.asked);
    [this.hints, this.tries, this.counts] = [kept.hints, kept.tries, kept.counts];
    this.text.value = kept.reply;
    this.typed();
    if (kept.language !== setup.speaking.code) void this.translate(kept);
  }

  /** A question that was kept in another language is put in that of the page. @param {KeptQuestion} kept */
  async translate({ asked, language }) {
    this.language = language;
    this.remember();
    const question = await ask({ ask: "question", exercise: asked.exercise });
    if (question.errors || this.asked !== asked || this.marked) return;
    const { hints, tries, counts, text: { value } } = this;
    this.start({ exercise: asked.exercise, question: /** @type {any} */ (question) });
    [this.hints, this.tries, this.counts, this.text.value] = [hints, tries, counts, value];
    this.typed();
  }

  remember() {
    const { asked, hints, tries, counts } = this;
    keepWork("practise", { language: this.language, kind: this.kind.value, level: this.level.value, asked, reply: this.text.value, hints, tries, counts });
  }

  /** Ask a question. @param {Asked} asked */
  start(asked) {
    const { question } = asked;
    this.asked = asked;
    this.language = setup.speaking.code;
    [this.hints, this.tries, this.counts, this.marked, this.lit] = [0, 0, true, null, []];
    this.turn++;
    this.pose(question);
    this.conventions();
    this.change(nothing());
    part("verdict").replaceChildren();
    this.remember();
  }

  /** The conventions: as labels, those without one in words, and all rules to be unfolded. */
  conventions() {
    const { labels, special, nodes } = this.asked.question;
    const long = special.length > LONG && nodes.length > SMALL;
    part("special").textContent = special;
    part("special").classList.toggle("long", long);
    const folded = long ? [element("span", { class: "label folded" }, say("special_rules"))] : [];
    const every = [...labels.map((label) => element("span", { class: "label" }, label)), ...folded, element("span", { class: "label all" }, say("all_rules"))];
    part("labels").replaceChildren(...every.flatMap((label) => [label, " "]));
    part("rules", HTMLDetailsElement).open = false;
  }

  /** The next question: the one that tells most about the latest mistakes, or about some given ones, or that at a place.
   * @param {number} [place] @param {string[]} [mistakes] */
  async next(place, mistakes) {
    const [kind, level] = [this.kind.value, this.level.value];
    const latest = entries().filter((entry) => entry.kind === kind).slice(-20).map((entry) => entry.notes);
    this.say("waiting");
    const turn = ++this.turn;
    const asked = await nextQuestion({
      kind, level, place, start: BEGIN, notes: mistakes ? [mistakes] : latest, seen: this.seen.slice(-500).concat(this.asked.exercise.id),
    });
    if (turn !== this.turn) return;
    if (asked.errors) return this.failed(asked.errors);
    this.seen.push(asked.exercise.id);
    this.start(/** @type {Asked} */ (/** @type {unknown} */ (asked)));
    scrollTo({ top: 0 });
    part("prompt").focus({ preventScroll: true });
  }

  /** Ask what an address names. @param {URLSearchParams} wish */
  async open(wish) {
    const kind = wish.get("kind") ?? "";
    if (![...this.kind.options].some((each) => each.value === kind)) return;
    this.kind.value = kind;
    const level = wish.get("size") ?? "";
    this.level.value = setup.levels.includes(level) ? level : setup.levels[0];
    const seed = Number(wish.get("seed") ?? NaN);
    const mistakes = wish.get("mistake")?.split(",");
    const before = this.asked;
    await this.next(Number.isInteger(seed) && seed >= 0 ? seed : undefined, mistakes);
    if (this.asked !== before && location.hash.includes("kind=")) asWished(wish);
  }

  /** Copy the question and the reply as text. */
  async share() {
    const { question, exercise } = this.asked;
    const text = [question.prompt, exercise.tree, this.text.value].filter(Boolean).join("\n\n");
    this.say((await copyText(text)) ? "copied" : "not_copied");
  }

  /** A sentence of the page where verdicts are told. @param {string} key @param {Record<string, string|number>} [values] */
  say(key, values) {
    part("verdict").className = "";
    part("verdict").textContent = say(key, values);
  }

  /** @param {Fault[]} errors */
  failed(errors) {
    part("verdict").className = "";
    const again = element("button", { type: "button", onclick: () => void this.mark() }, say("mark"));
    part("verdict").replaceChildren(paragraph(...errors.flatMap((each) => [each.message, each.hint])), " ", ...(this.text.value ? [again] : []));
  }

  // The answer, in the tree and as text

  /** The reply is another one: what was said of it before is gone, and the tree shows what it says now. */
  edited() {
    this.turn++;
    this.marked = null;
    this.key = false;
    this.lit = [];
    this.hints = 0; // they are about another reply
    part("verdict").className = "";
    part("verdict").replaceChildren();
    part("told").replaceChildren();
    part("next").classList.remove("primary");
    part("mark").classList.add("primary");
    super.edited();
    this.remember();
  }

  paint() {
    const { question } = this.asked;
    const marks = this.marked ? marksOf(question.nodes, this.marked, this.key) : undefined;
    super.paint({ marks, lit: litPaths(question.nodes, this.lit) });
  }

  /** Light the paths to some nodes, and bring the tree into view. @param {number[]} nodes */
  light(nodes) {
    this.lit = nodes;
    nodes.forEach((node) => this.view.reveal(node));
    this.paint();
    this.view.items[nodes[0]]?.scrollIntoView({ block: "nearest", inline: "nearest" });
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
    this.boxes.fill(done);
    this.paint();
  }

  // Marks, hints and answers

  async mark() {
    const { exercise } = this.asked;
    const reply = this.text.value;
    const turn = ++this.turn;
    this.boxes.close();
    this.say("waiting");
    const [mark, said] = await Promise.all([ask({ ask: "mark", exercise, reply }), ask({ ask: "remarks", exercise, reply })]);
    if (turn !== this.turn) return;
    if (mark.errors) return this.failed(mark.errors);
    part("told").replaceChildren();
    if (mark.state !== "GRADED") {
      this.say(mark.state === "BLANK" ? "blank" : "unread", { why: mark.message });
      if (mark.state !== "BLANK" || !this.asked.question.touch) this.text.focus(); // else the answer may be given in the tree
      return;
    }
    const full = mark.points === mark.max;
    this.say(verdictName(mark.points, mark.max), { points: readable(mark.points), max: mark.max });
    part("verdict").className = full ? "right" : "wrong";
    const pressedAgain = this.marked !== null; // which is not a second try
    this.marked = mark;
    if (!pressedAgain && ++this.tries <= TRIES && this.counts) this.record(mark, reply);
    if (full) this.counts = false; // one right answer is one, handed in as often as one likes
    this.paint();
    const buttons = full ? [] : [
      element("button", { type: "button", onclick: () => this.tryAgain() }, say("again")),
      element("button", { type: "button", id: "reveal", onclick: () => this.reveal(said) }, say("reveal")),
    ];
    const why = full && said.why ? [element("li", { class: "why" }, said.why)] : [];
    part("told").replaceChildren(...why, ...firstWords(said), element("li", { class: "again" }, ...buttons));
    if (full) part("told").querySelectorAll(".right").forEach((each) => each.remove()); // the verdict has said it
    part("told").firstElementChild?.scrollIntoView({ block: "nearest" });
    part("mark").classList.remove("primary");
    part("next").classList.add("primary");
    this.remember();
  }

  /** Keep a mark. @param {any} mark @param {string} reply */
  record(mark, reply) {
    const { exercise, question } = this.asked;
    keep({
      time: Date.now(), exercise: exercise.id, kind: question.kind, level: this.level.value, reply: reply.slice(0, 500),
      points: mark.points, max: mark.max, notes: mark.notes, try: this.tries,
    });
    mastery();
  }

  /** Show the key and the reasons; what is handed in afterwards does not count. @param {import("./marker.js").Answer} said */
  reveal(said) {
    this.counts = false;
    this.key = true;
    const diagnosis = firstWords(said).filter((/** @type {HTMLElement} */ each) => each.classList.contains("diagnosis"));
    const again = element("li", { class: "again" }, element("button", { type: "button", onclick: () => this.again() }, say("again")));
    part("told").replaceChildren(...diagnosis, ...reasons(said, (nodes) => this.light(nodes)), again);
    this.paint();
    this.remember();
    part("told").querySelector("button")?.focus({ preventScroll: true });
  }

  /** Go on with the reply as it is. */
  tryAgain() {
    this.edited();
    (this.view.nodes.length && this.asked.question.touch ? this.view.items[this.view.focus] : this.text)?.focus({ preventScroll: true });
  }

  /** Begin the same question anew. */
  again() {
    this.change(nothing());
    this.tryAgain();
  }

  async hint() {
    const answer = await ask({ ask: "hint", exercise: this.asked.exercise, number: this.hints + 1, reply: this.text.value });
    if (answer.errors) return this.failed(answer.errors);
    this.hints = answer.hints.length;
    if (answer.tells) this.counts = false;
    this.say(answer.tells ? "hint_tells" : answer.more ? "hints" : "last_hint", { number: this.hints });
    part("told").replaceChildren(...hintItems(answer, (nodes) => this.light(nodes)));
    this.light(answer.hints[answer.hints.length - 1].nodes);
    part("told").lastElementChild?.scrollIntoView({ block: "nearest" });
    this.remember();
  }

  async answer() {
    const turn = ++this.turn;
    const answer = await ask({ ask: "answer", exercise: this.asked.exercise });
    if (turn !== this.turn) return;
    if (answer.errors) return this.failed(answer.errors);
    this.counts = false;
    this.boxes.close();
    // The key takes the place of the reply everywhere, so that text and tree remain one thing.
    this.text.value = answer.reply;
    this.typed();
    this.say("answer_is", { answer: answer.answer });
    const steps = element("ol", {}, ...answer.steps.map((/** @type {string} */ step) => element("li", {}, step)));
    part("told").replaceChildren(
      ...answer.because.map((/** @type {string} */ why) => element("li", { class: "step" }, why)),
      element("li", {}, element("details", {}, element("summary", {}, say("all_steps")), steps)),
      element("li", { class: "again" }, element("button", { type: "button", onclick: () => this.again() }, say("again"))),
    );
    part("mark").classList.remove("primary");
    part("next").classList.add("primary");
  }
}

/** Take a question that was asked out of the address: a reload and another language go on with it, and the same
 * link asks again. @param {URLSearchParams} wish */
function asWished(wish) {
  const rest = [...wish].filter(([name]) => !["kind", "size", "seed", "mistake"].includes(name));
  history.replaceState(null, "", `#${new URLSearchParams(rest)}`);
}

/** Keep the bar above a keyboard on the screen, which covers the foot of the window. */
function lift() {
  const seen = /** @type {VisualViewport} */ (window.visualViewport);
  const covered = seen.scale > 1.01 ? 0 : document.documentElement.clientHeight - seen.offsetTop - seen.height; // not if zoomed in
  part("bar").style.setProperty("--covered", `${Math.max(0, Math.round(covered))}px`);
}

/** Points as people read them: a fraction as a decimal. @param {string} points */
const readable = (points) => (points.includes("/") ? share(points).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 }) : points);

/** What one masters: the latest answers of every kind in its group, and the mistakes that are overcome. */
export function mastery() {
  const all = entries();
  const wanted = part("find-kind", HTMLInputElement).value.trim().toLowerCase();
  const groups = setup.groups.map((/** @type {any} */ { title, kinds }) => {
    const found = kinds.filter((/** @type {any} */ kind) => !wanted || `${kind.title} ${kind.code}`.toLowerCase().includes(wanted));
    const rows = found.map((/** @type {any} */ { code, title: name }) => kindRow(code, name, all));
    return rows.length ? [element("h3", {}, title), element("ul", { class: "kinds" }, ...rows)] : [];
  });
  part("mastery").replaceChildren(...groups.flat());
  const latest = all.slice(-8).map((entry) => share(entry.points) / share(entry.max));
  const count = [...new Set(all.map((entry) => entry.kind))].filter((kind) => mastered(kind, all).is_mastered).length;
  part("streak").textContent = all.length ? say("so_far", { dots: dots(latest), kinds: count, mistakes: overcome(all) }) : "";
}

/** @param {string} code @param {string} title @param {Entry[]} all */
function kindRow(code, title, all) {
  const { count, share: average, shares, is_mastered: done } = mastered(code, all);
  const told = count ? say("mastered", { percent: Math.round(100 * average), count }) : "";
  return element("li", {},
    element("a", { href: `#kind=${encodeURIComponent(code)}` }, title), done ? " ✓" : "", " ",
    count ? element("span", { class: "dots", role: "img", "aria-label": told }, dots(shares)) : "", count ? ` ${told}` : "");
}

/** A dot for every answer: full, half or empty. @param {number[]} shares */
const dots = (shares) => shares.map((each) => (each >= 1 ? "●" : each > 0 ? "◐" : "○")).join("");
