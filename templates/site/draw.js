// Draw and check: a tree that is built by hand or typed, both one thing, judged while it is drawn.

import { keepWork, keptWork } from "./kept.js";
import { below, childrenOf } from "./layout.js";
import { ask } from "./marker.js";
import { TreeView } from "./tree.js";
import { copyText, download, element, heard, part, say, setup, soon } from "./words.js";

/** @typedef {{header: string[], nodes: TreeNode[]}} Drawing */
/** @typedef {{text: string, drawing: string}} State a text, and the drawing beside it as JSON */

const RULES = { ties: "cut", order: "left-to-right", returns: "soft" }; // each with what holds without a line for it
const PLAYERS = ["MAX", "MIN", "CHANCE"];
const PLAIN = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** A node that was just made. @param {number} parent @param {string|null} player @returns {TreeNode} */
const fresh = (parent, player) => ({
  parent, player, name: "", title: "", given: false, word: null, spelled: "", path: 0, payoff: player === null ? "0" : null,
  shown: player === null ? "0" : "", move: null, label: null, chance: null, claim: null, crossed: false, attributes: "", known: "", board: [],
});

/** The smallest tree: something to begin with. @returns {Drawing} */
export const begin = () => ({ header: [], nodes: numbered([fresh(-1, "MAX"), fresh(0, null), fresh(0, null)]) });

/** The text of the smallest tree, by which nothing was drawn yet. */
export const UNTOUCHED = "MAX (0 0)";

/** The nodes with leaf numbers, and names for those that have none. @param {TreeNode[]} nodes */
export function numbered(nodes) {
  let path = 0;
  nodes.forEach((node) => {
    node.path = node.player === null ? ++path : 0;
    if (node.player === null) [node.name, node.shown] = [node.given ? node.name : `${path}`, node.payoff ?? ""];
    node.title = node.given || node.player === null ? node.name : "";
  });
  return nodes;
}

/** A word as the notation has it: in quotes where it needs them. @param {string} text */
export const spelled = (text) => (PLAIN.test(text) && !/^(MAX|MIN|CHANCE|P[1-9])$/i.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`);

/** The notation of a drawing. @param {Drawing} drawing */
export function notation({ header, nodes }) {
  const children = childrenOf(nodes);
  const even = nodes.map((_, node) => new Set(children[node].map((child) => nodes[child].chance)).size <= 1);
  const wide = nodes.length > 16;
  /** @param {number} index @param {string} margin @returns {string} */
  const text = (index, margin) => {
    const node = nodes[index];
    let piece = node.label === null ? "" : `${node.label}: `;
    if (node.chance !== null && node.parent >= 0 && !even[node.parent]) piece += `${node.chance}: `;
    if (node.crossed) piece += "~";
    if (node.player === null) piece += (node.word === null ? "" : `${node.word}=`) + (node.payoff || "0");
    else piece += node.word === null ? node.player : `${node.player} ${node.word}`;
    if (node.claim !== null) piece += /^[<>]/.test(node.claim) ? node.claim : `=${node.claim}`;
    if (node.attributes) piece += ` ${node.attributes}`;
    if (node.player === null) return piece;
    const own = children[index];
    const labelled = own.some((child) => nodes[child].label !== null || (nodes[child].chance !== null && !even[index]));
    const gap = labelled ? ", " : " ";
    if (!wide || own.every((child) => nodes[child].player === null)) return `${piece} (${own.map((child) => text(child, margin)).join(gap)})`;
    const deeper = `${margin}  `;
    return `${piece} (\n${own.map((child) => deeper + text(child, deeper)).join(`${gap.trim()}\n`)}\n${margin})`;
  };
  return [...header, text(0, "")].join("\n");
}

/** A picture as PNG. @param {string} svg @returns {Promise<Blob|null>} */
async function pixels(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth * 2, picture.naturalHeight * 2];
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve) => canvas.toBlob(resolve));
}

export class Editor {
  constructor() {
    this.text = part("notation", HTMLTextAreaElement);
    part("canvas").classList.add("crossing");
    this.drawing = begin();
    this.told = ""; // the text that the drawing shows, or that was there when it was last changed
    /** @type {State[]} */
    this.past = [];
    /** @type {State[]} */
    this.future = [];
    this.round = 0;
    this.typing = 0;
    this.drawn = true;
    /** @type {Map<number, NodeMark>} */
    this.marks = new Map();
    this.view = new TreeView(part("canvas"), {
      label: say("tree_label"), touch: (_, key) => this.touched(key), walk: () => this.inspect(), selects: true,
    });
    this.judge = soon(() => void this.judged(), 60);
    const typed = soon(() => void this.typed(), 150);
    this.text.addEventListener("input", typed);
    for (const name of ["add", "beside", "remove", "cross", "undo", "redo"]) part(`do-${name}`).addEventListener("click", () => this.act(name));
    for (const name of ["player", "called", "payoff", "chance", "move", "claim"]) {
      part(`at-${name}`).addEventListener("change", (event) => this.said(name, /** @type {HTMLInputElement} */ (event.target).value.trim()));
    }
    part("at-payoff").addEventListener("click", (event) => /** @type {HTMLInputElement} */ (event.target).select());
    part("at-payoff").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.nextPayoff(/** @type {HTMLInputElement} */ (event.target));
    });
    part("open-tree").addEventListener("change", (event) => void this.load(/** @type {HTMLInputElement} */ (event.target)));
    part("draw-larger").addEventListener("click", () => this.view.enlarge(1.25));
    part("draw-smaller").addEventListener("click", () => this.view.enlarge(0.8));
    part("pruning").addEventListener("change", () => this.judge());
    for (const [name, usual] of Object.entries({ ...RULES, bounds: "", depth: "" })) {
      part(name).addEventListener("change", (event) => this.rule(name, /** @type {HTMLInputElement} */ (event.target).value.trim(), usual));
    }
    part("bank").append(...Object.keys(setup.bank).map((title) => element("option", { value: title, lang: "en" }, title)));
    part("bank").addEventListener("change", (event) => {
      const box = /** @type {HTMLSelectElement} */ (event.target);
      if (box.value) void this.open(setup.bank[box.value]);
      box.value = "";
    });
    part("solve").addEventListener("click", () => void this.solve());
    part("save-tree").addEventListener("click", () => download("tree.tree", new Blob([`${this.text.value.trim()}\n`], { type: "text/plain" })));
    part("save-svg").addEventListener("click", () => void this.picture("svg"));
    part("save-png").addEventListener("click", () => void this.picture("png"));
    part("copy-text").addEventListener("click", () => void this.copy(this.text.value));
    part("copy-latex").addEventListener("click", () => void this.latex());
    part("copy-picture").addEventListener("click", () => void this.copyPicture());
    part("link").addEventListener("click", () => void this.link());
    part("draw").addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target === this.text) return;
      if (event.key === "z") this.act(event.shiftKey ? "redo" : "undo");
      else if (event.key === "y") this.act("redo");
      else return;
      event.preventDefault();
    });
  }

  get node() {
    return this.drawing.nodes[this.view.focus];
  }

  /** Take a text, as from a link. @param {string} text */
  async open(text) {
    this.text.value = text;
    await this.typed();
  }

  /** What the editor shows when it is first looked at: what was drawn last, or the smallest tree. */
  begin() {
    if (this.view.nodes.length || !this.drawn) return;
    const kept = keptWork("draw");
    if (!this.text.value && typeof kept === "string" && kept) void this.open(kept);
    else this.redraw(this.text.value || undefined);
  }

  /** A payoff was entered: go on with that of the next leaf. @param {HTMLInputElement} box */
  nextPayoff(box) {
    const leaf = this.view.focus;
    this.said("payoff", box.value.trim());
    const next = this.drawing.nodes.findIndex((node, index) => index > leaf && node.player === null);
    if (next < 0) return this.view.go(leaf);
    this.view.go(next, false);
    box.value = this.node.payoff ?? "";
    box.focus();
    box.select();
  }

  /** Open a file: a tree as text, or an exercise with one. @param {HTMLInputElement} box */
  async load(box) {
    const text = (await box.files?.[0]?.text()) ?? "";
    box.value = ""; // the same file may be chosen again
    try {
      const record = JSON.parse(text);
      await this.open(typeof record.tree === "string" ? record.tree : text);
    } catch {
      await this.open(text);
    }
  }

  // Changing the drawing

  /** What undo brings back: a text may hold more than its drawing, or be no tree yet. @returns {State} */
  state(text = this.text.value) {
    return { text, drawing: JSON.stringify(this.drawing) };
  }

  remember(text = this.text.value) {
    this.past.push(this.state(text));
    if (this.past.length > 200) this.past.shift();
    this.future = [];
  }

  /** @param {string} name */
  act(name) {
    if (name === "undo" || name === "redo") {
      const [from, to] = name === "undo" ? [this.past, this.future] : [this.future, this.past];
      const found = from.pop();
      if (found === undefined) return;
      to.push(this.state());
      this.drawing = JSON.parse(found.drawing);
      this.redraw(found.text);
    } else {
      const index = this.view.focus;
      if ((name === "beside" || name === "remove" || name === "cross") && index === 0) return;
      this.remember();
      if (name === "cross") this.node.crossed = !this.node.crossed;
      else if (name === "remove") this.remove(index);
      else if (name === "add") this.add(index);
      else this.add(this.node.parent);
      this.redraw();
    }
    this.view.go(this.view.focus);
  }

  /** Give a node one more child; a leaf becomes a node of the other player. @param {number} parent */
  add(parent) {
    const { nodes } = this.drawing;
    const own = nodes[parent];
    if (own.player === null) {
      const above = own.parent < 0 ? "MIN" : nodes[own.parent].player;
      Object.assign(own, { player: above === "MAX" ? "MIN" : "MAX", payoff: null, shown: "", claim: null });
    }
    const place = parent + below(nodes, parent).length;
    nodes.forEach((node) => { if (node.parent >= place) node.parent++; });
    nodes.splice(place, 0, fresh(parent, null));
    nodes.filter((node) => node.parent === parent && own.player === "CHANCE").forEach((node) => { node.chance = null; });
    this.view.focus = place;
  }

  /** @param {number} index */
  remove(index) {
    const { nodes } = this.drawing;
    const { parent } = nodes[index];
    const gone = below(nodes, index).length;
    nodes.splice(index, gone);
    nodes.forEach((node) => { if (node.parent >= index) node.parent -= gone; });
    if (!nodes.some((node) => node.parent === parent)) Object.assign(nodes[parent], fresh(nodes[parent].parent, null));
    else nodes.filter((node) => node.parent === parent).forEach((node) => { node.chance = null; });
    this.view.focus = parent;
  }

  /** Something was said of the node. @param {string} name @param {string} text */
  said(name, text) {
    if (text === this.written[name]) return; // a box that is left after Enter says it again
    this.remember();
    const own = this.node;
    const value = text === "" ? null : text;
    if (name === "called") Object.assign(own, { given: value !== null, name: text, word: value === null ? null : spelled(text) });
    else if (name === "move") Object.assign(own, { move: value, label: value === null ? null : spelled(text) });
    else if (name === "claim") own.claim = value?.replace("≤", "<=").replace("≥", ">=").replace(/^=/, "") ?? null;
    else if (name === "chance") own.chance = value;
    else if (name === "payoff") own.payoff = text || "0";
    else if (name === "player" && own.player !== null) own.player = text;
    this.redraw();
  }

  /** A rule stands in the header of the tree. @param {string} name @param {string} value @param {string} usual */
  rule(name, value, usual) {
    this.remember();
    const others = this.drawing.header.filter((line) => !line.startsWith(`@${name} `));
    this.drawing.header = value === usual ? others : [...others, `@${name} ${value}`];
    this.redraw();
  }

  /** What the header says of a rule. @param {string} name @param {string} usual */
  ruled(name, usual) {
    const start = `@${name} `;
    return this.drawing.header.find((line) => line.startsWith(start))?.slice(start.length) ?? usual;
  }

  /** @param {string} key */
  touched(key) {
    const keys = { a: "add", Insert: "add", b: "beside", Delete: "remove", c: "cross" };
    if (key in keys) this.act(keys[/** @type {keyof typeof keys} */ (key)]);
    else if (key === "m" && this.node.player !== null) {
      this.said("player", PLAYERS[(PLAYERS.indexOf(this.node.player) + 1) % PLAYERS.length]);
    } else if (key === "Enter" || /^[-\d]$/.test(key)) {
      const box = part(this.node.player === null ? "at-payoff" : "at-claim", HTMLInputElement);
      box.focus();
      box.select();
    }
    this.inspect();
  }

  redraw(text = notation(this.drawing)) {
    numbered(this.drawing.nodes);
    this.typing++;
    this.drawn = true;
    this.text.value = this.told = text;
    this.show(new Map());
    this.judge();
  }

  /** @param {Map<number, NodeMark>} marks */
  show(marks) {
    this.marks = marks;
    const { nodes } = this.drawing;
    for (const [name, usual] of Object.entries(RULES)) part(name, HTMLSelectElement).value = this.ruled(name, usual);
    for (const name of ["bounds", "depth"]) part(name, HTMLInputElement).value = this.ruled(name, "");
    const claims = [...nodes.entries()].filter(([, node]) => node.claim !== null);
    const values = new Map(claims.map(([index, node]) => [index, (node.claim ?? "").replace("<=", "≤ ").replace(">=", "≥ ")]));
    const bars = new Set([...nodes.keys()].filter((index) => nodes[index].crossed));
    this.view.picture = { bars, values, marks };
    this.view.show(nodes, { beside: claims.length ? 40 : 0, checks: true });
    this.inspect();
    keepWork("draw", this.text.value);
  }

  /** What the boxes of the node at hand show, by their names. @returns {Record<string, string>} */
  get written() {
    const { given, name, payoff, chance, move, claim, player } = this.node;
    return { called: given ? name : "", payoff: payoff ?? "", chance: chance ?? "", move: move ?? "", claim: claim ?? "", player: player ?? "" };
  }

  /** Show what is said of the node at hand. */
  inspect() {
    const own = this.node;
    const leaf = own.player === null;
    const parent = own.parent < 0 ? null : this.drawing.nodes[own.parent].player;
    for (const [name, value] of Object.entries(this.written)) {
      const box = part(`at-${name}`, name === "player" ? HTMLSelectElement : HTMLInputElement);
      if (box !== document.activeElement) box.value = value;
    }
    part("at-player").closest("label")?.toggleAttribute("hidden", leaf);
    part("at-payoff").closest("label")?.toggleAttribute("hidden", !leaf);
    part("at-claim").closest("label")?.toggleAttribute("hidden", leaf);
    part("at-chance").closest("label")?.toggleAttribute("hidden", parent !== "CHANCE");
    part("at-move").closest("label")?.toggleAttribute("hidden", own.parent < 0);
    for (const name of ["beside", "remove", "cross"]) part(`do-${name}`, HTMLButtonElement).disabled = own.parent < 0;
    part("do-undo", HTMLButtonElement).disabled = !this.past.length;
    part("do-redo", HTMLButtonElement).disabled = !this.future.length;
  }

  // The text, and what the grader says

  /** The text was edited: it is the drawing now, if it is one. */
  async typed() {
    const typing = ++this.typing;
    this.drawn = false;
    const answer = await ask({ ask: "tree", tree: this.text.value });
    if (typing !== this.typing) return;
    this.drawn = true;
    if (answer.errors) return this.faults(answer.errors);
    if (this.text.value !== this.told) this.remember(this.told);
    this.told = this.text.value;
    this.drawing = { header: answer.header, nodes: answer.nodes };
    this.view.focus = Math.min(this.view.focus, answer.nodes.length - 1);
    this.show(new Map());
    await this.judged();
  }

  /** @param {Fault[]} errors */
  faults(errors) {
    part("judgement").textContent = say("not_a_tree");
    part("reasons").replaceChildren(...errors.map((fault) => {
      const place = fault.line ? say("at_place", { line: fault.line, column: fault.column ?? 1 }) : "";
      const text = [place, fault.message, fault.hint].filter(Boolean).join(" · ");
      return element("li", { class: "wrong" }, element("button", { type: "button", class: "plain", onclick: () => this.point(fault) }, text));
    }));
  }

  /** Go to the place of a mistake in the text. @param {Fault} fault */
  point(fault) {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, (fault.line ?? 1) - 1).reduce((sum, line) => sum + line.length + 1, 0) + (fault.column ?? 1) - 1;
    this.text.focus();
    this.text.setSelectionRange(start, start + 1);
  }

  /** Judge what is drawn; an answer that comes too late is not shown. */
  async judged() {
    if (!this.drawn) return; // the text is ahead of the drawing, and is judged when both are one again
    const round = ++this.round;
    const pruning = part("pruning", HTMLInputElement).checked || undefined;
    const { nodes } = this.drawing;
    const drawn = nodes.some((node) => node.claim !== null || node.crossed);
    const message = { ask: drawn || pruning ? "judge" : "tree", tree: this.text.value, pruning };
    const answer = await ask(message);
    if (round !== this.round || !this.drawn) return;
    part("reasons").replaceChildren();
    if (answer.errors) return this.faults(answer.errors);
    if (message.ask === "tree") {
      part("judgement").textContent = say("nothing_to_check");
      return;
    }
    part("judgement").textContent = answer.verdict;
    part("judgement").className = answer.check.ok ? "right" : "wrong";
    const notes = answer.check.notes.map((/** @type {string} */ note) => element("li", {}, note));
    part("reasons").replaceChildren(...answer.told.map((/** @type {[boolean, string]} */ [right, words]) => element("li", { class: right ? "right" : "wrong" }, words)), ...notes);
    this.show(new Map(answer.marks.map((/** @type {any} */ mark) => {
      const sign = mark.claim ?? mark.cross;
      return [mark.node, { sign, said: heard(sign, mark.value) }];
    })));
  }

  async solve() {
    const answer = await ask({ ask: "explain", tree: this.text.value });
    if (answer.errors) return this.faults(answer.errors);
    part("judgement").className = "";
    part("judgement").textContent = answer.steps[answer.steps.length - 1].words;
    part("reasons").replaceChildren(...answer.steps.map((/** @type {any} */ step) => element("li", { class: "step" }, step.words)));
  }

  // Taking it away

  /** @param {"svg"|"png"} form */
  async picture(form) {
    const answer = await ask({ ask: "svg", tree: this.text.value, show: this.marks.size ? "judged" : "drawn" });
    if (answer.errors) return this.faults(answer.errors);
    const svg = new Blob([answer.svg], { type: "image/svg+xml" });
    if (form === "svg") return download("tree.svg", svg);
    const png = await pixels(answer.svg);
    if (png) download("tree.png", png);
  }

  /** Copy the picture, as other programs take it. */
  async copyPicture() {
    const answer = await ask({ ask: "svg", tree: this.text.value, show: this.marks.size ? "judged" : "drawn" });
    if (answer.errors) return this.faults(answer.errors);
    const png = await pixels(answer.svg);
    const done = png && (await navigator.clipboard?.write([new ClipboardItem({ "image/png": png })]).then(() => true, () => false));
    part("judgement").textContent = say(done ? "tree_copied" : "not_copied");
  }

  async latex() {
    const answer = await ask({ ask: "latex", tree: this.text.value });
    if (answer.errors) return this.faults(answer.errors);
    await this.copy(answer.latex);
  }

  /** @param {string} text */
  async copy(text) {
    part("judgement").textContent = say((await copyText(text)) ? "tree_copied" : "not_copied");
  }

  /** A link that carries the tree: of a site its address, elsewhere only what is appended to one. The address of this
   * machine would be dead for others, and its token is for those who got it. */
  async link() {
    const end = `#draw=${encodeURIComponent(this.text.value.trim())}`;
    history.replaceState(null, "", end);
    const whole = setup.way === "worker" && location.protocol.startsWith("http");
    const text = whole ? new URL(end, location.href).href : end;
    const made = (await copyText(text)) ? "link_copied" : "link_made";
    part("judgement").textContent = say(whole ? made : "link_end", { link: text });
  }
}
