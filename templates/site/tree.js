// A tree on the screen: what stands at its nodes, and how they are reached and touched.

import { SHAPE, SQUARE, below, boardWidth, branchText, laidOut, leafWidth, squareWidth } from "./layout.js";
import { listed, say, spokenName } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = { right: "✓", follows: "✓", partly: "½", wrong: "✗", extra: "✗", missing: "○" };
const MANY_LEAVES = 40; // from which on subtrees can be folded
const HALF = (SHAPE + 2) / 2; // of the width of a triangle, halfway up

/** An SVG element. @param {string} tag @param {Record<string, string|number>} attributes @param {string} [text] */
function draw(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The outline of a player's nodes. @param {string} player */
function shapeOf(player) {
  const s = SHAPE;
  if (player === "MAX") return draw("path", { class: "shape max", d: `M0 ${-s}L${s + 2} ${s}L${-s - 2} ${s}Z` });
  if (player === "MIN") return draw("path", { class: "shape min", d: `M0 ${s}L${s + 2} ${-s}L${-s - 2} ${-s}Z` });
  if (player === "CHANCE") return draw("circle", { class: "shape chance", r: s });
  return draw("rect", { class: "shape seat", x: -s, y: -s, width: 2 * s, height: 2 * s, rx: 3 });
}

/** How far a node reaches to its sides, halfway up. @param {string|null} player */
const sideOf = (player) => (player === "MAX" || player === "MIN" ? HALF : SHAPE);

/** A board, its squares with their signs. @param {string[][]} board @param {number} left @param {number} top */
function boardOf(board, left, top) {
  const drawn = draw("g", { class: "board", transform: `translate(${left} ${top})` });
  board.forEach((row, line) => {
    let x = 0;
    for (const sign of row) {
      const wide = squareWidth(sign);
      drawn.append(draw("rect", { x, y: line * SQUARE, width: wide, height: SQUARE }));
      if (sign !== ".") drawn.append(draw("text", { x: x + wide / 2, y: (line + 0.8) * SQUARE }, clipped(sign, 12)));
      x += wide;
    }
  });
  return drawn;
}

/** Text that fits. @param {string} text @param {number} most */
const clipped = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** @typedef {object} TreeOptions what a view does, and what it shows of itself
 * @property {string} label
 * @property {(node: number, key: string) => void} [touch]
 * @property {(node: number) => void} [walk]
 * @property {boolean} [selects] whether the node at hand is always shown, and not by the focus alone
 * @property {boolean} [fills] whether a tree is enlarged until it fills its place */

/** @typedef {object} TreeShape how a tree is shown
 * @property {number} [beside] the pixels for what is written right of a node
 * @property {boolean} [both] whether a window and a value can be written there, one below the other
 * @property {boolean} [paths] whether leaf numbers are shown
 * @property {Set<number>} [asked] the nodes with a box for what is asked there
 * @property {boolean} [checks] whether nodes are crossed out or not */

/** A tree that can be walked through and touched. */
export class TreeView {
  /** @param {HTMLElement} place @param {TreeOptions} options */
  constructor(place, options) {
    this.place = place;
    this.options = options;
    /** @type {TreeNode[]} */
    this.nodes = [];
    /** @type {Picture} */
    this.picture = {};
    /** @type {TreeShape} */
    this.how = {};
    this.focus = 0;
    /** @type {SVGElement[]} */
    this.items = [];
    /** @type {number[][]} */
    this.children = [];
    /** The nodes whose subtrees are not shown. @type {Set<number>} */
    this.folded = new Set();
    this.large = false;
    this.room = [0, 0]; // the width and height that the tree was laid out for
    this.zoom = 1;
    new ResizeObserver(() => {
      const isChanged = Math.abs(this.width() - this.room[0]) > 8 || (this.options.fills && Math.abs(place.clientHeight - this.room[1]) > 8);
      if (this.nodes.length && isChanged) this.show(this.nodes, this.how);
    }).observe(place);
  }

  width() {
    return Math.max(this.place.clientWidth, 280);
  }

  /** How much larger letters are than usual, which is what readers set: a tree grows with them as far as it fits. */
  get lettering() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  }

  /** Show a tree. @param {TreeNode[]} nodes @param {TreeShape} [how] */
  show(nodes, how = {}) {
    const focused = this.place.contains(document.activeElement);
    if (nodes.length !== this.nodes.length) this.folded.clear(); // they are other nodes now
    this.nodes = nodes;
    this.how = how;
    this.large = nodes.filter((node) => node.player === null).length >= MANY_LEAVES;
    this.place.classList.toggle("large", this.large);
    if (!nodes.length) return this.place.replaceChildren();
    this.room = [this.width(), this.place.clientHeight];
    this.focus = Math.max(0, Math.min(this.focus, nodes.length - 1));
    const shown = this.unfolded();
    while (!shown.includes(this.focus)) this.focus = nodes[this.focus].parent;
    const at = this.arranged(shown);
    const scale = at.scale * this.zoom;
    this.children = at.children;
    const svg = draw("svg", {
      class: "tree", width: Math.floor(at.width * scale), height: Math.ceil(at.height * scale), viewBox: `0 0 ${at.width} ${at.height}`,
      role: "tree", "aria-label": this.options.label,
    });
    this.items = [];
    shown.forEach((index) => { this.items[index] = this.item(nodes[index], index, at); });
    svg.append(...shown.map((index) => this.items[index]));
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("pointerdown", (event) => this.leaveBox(event));
    svg.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
    this.place.replaceChildren(svg);
    this.paint(this.picture);
    this.items[this.focus]?.setAttribute("tabindex", "0");
    if (focused) this.items[this.focus]?.focus();
  }

  /** Where nodes go in the place as it is now. @param {number[]} shown */
  arranged(shown) {
    const { beside = 0, both } = this.how;
    // Where a tree fills its place it is as large on every projector, whatever its pixels.
    const scales = this.options.fills ? { enlarged: 2.4 * Math.max(1, innerWidth / 1280), smallest: 0.3 } : { enlarged: this.lettering };
    return laidOut(this.nodes, shown, { width: this.width(), height: this.options.fills ? this.place.clientHeight : 420, beside, both, ...scales });
  }

  /** The nodes that are shown: all but those below a folded one. */
  unfolded() {
    /** @type {number[]} */
    const shown = [];
    const hidden = this.nodes.map(() => false);
    this.nodes.forEach(({ parent }, index) => {
      hidden[index] = parent >= 0 && (hidden[parent] || this.folded.has(parent));
      if (!hidden[index]) shown.push(index);
    });
    return shown;
  }

  /** Fold the subtree of a node, or unfold it. @param {number} node */
  fold(node) {
    if (!this.large || this.nodes[node].player === null) return;
    if (!this.folded.delete(node)) this.folded.add(node);
    this.show(this.nodes, this.how);
    this.go(node);
  }

  /** Unfold what hides a node. @param {number} node */
  reveal(node) {
    if (this.items[node] || !this.nodes[node]) return;
    for (let up = this.nodes[node].parent; up >= 0; up = this.nodes[up].parent) this.folded.delete(up);
    this.show(this.nodes, this.how);
  }

  /** Make everything larger or smaller. @param {number} factor */
  enlarge(factor) {
    this.zoom = Math.max(0.5, Math.min(3, this.zoom * factor));
    this.show(this.nodes, this.how);
  }

  /** @param {TreeNode} node @param {number} index @param {ReturnType<typeof laidOut>} at */
  item(node, index, at) {
    const [x, y] = [at.x[index], at.y[index]];
    const siblings = node.parent < 0 ? [index] : at.children[node.parent];
    let level = 1;
    for (let up = node.parent; up >= 0; up = this.nodes[up].parent) level++;
    const group = draw("g", {
      class: "item", role: "treeitem", tabindex: -1, "data-node": index, "aria-level": level,
      "aria-posinset": siblings.indexOf(index) + 1, "aria-setsize": siblings.length, transform: `translate(${x} ${y})`,
    });
    const leaf = node.player === null;
    if (!leaf) group.setAttribute("aria-expanded", String(!this.folded.has(index)));
    if (node.parent >= 0) group.append(...this.branch(node, index, at));
    group.append(draw("rect", { class: "hit", x: -SHAPE - 1, y: -SHAPE - 1, width: 2 * SHAPE + 2, height: 2 * SHAPE + 2 }));
    group.append(...(leaf ? this.leaf(node, at.right) : this.inner(node, at.right)));
    // Below a node lead its branches, unless they lead to the right; then leaves are close to each other.
    const beside = at.right === leaf;
    const after = leaf ? leafWidth(node.shown) - SHAPE + 12 + 6 * this.leafLabel(node).length : SHAPE + 5;
    const written = beside ? { x: after, y: this.how.both && !leaf ? 0 : 6 } : { x: 0, y: leaf ? -16 : 29 };
    if (this.how.asked?.has(index)) {
      const wide = Math.min(this.how.beside ?? 28, 64);
      group.append(draw("rect", { class: "box", x: beside ? written.x - 1 : -wide / 2, y: written.y - 14, width: wide, height: 18, rx: 3 }));
    }
    group.append(draw("text", { class: beside ? "value beside" : "value", ...written }));
    group.append(draw("text", { class: beside ? "window beside" : "window", ...written }));
    const sign = leaf ? { x: at.right ? -SHAPE - 6 : 0, y: at.right ? 5 : 41 } : node.player === "MIN" ? { x: -SHAPE, y: 15 } : { x: -SHAPE, y: -5 };
    group.append(draw("text", { class: "sign", ...sign }));
    if (this.large && !leaf) group.append(this.folding(index));
    group.querySelectorAll("text").forEach((text) => text.setAttribute("aria-hidden", "true")); // its name says it all
    return group;
  }

  /** What folds the subtree of a node. @param {number} index */
  folding(index) {
    const folded = this.folded.has(index);
    const group = draw("g", { class: "fold" });
    group.append(draw("title", {}, say("fold")));
    group.append(draw("circle", { cx: 0, cy: -SHAPE - 6, r: 7 }), draw("text", { x: 0, y: -SHAPE - 2 }, folded ? "+" : "−"));
    if (folded) group.append(draw("text", { class: "told", x: 0, y: SHAPE + 14 }, `⋯ ${this.leavesBelow(index)}`));
    return group;
  }

  /** @param {number} top */
  leavesBelow(top) {
    return below(this.nodes, top).filter((node) => this.nodes[node].player === null).length;
  }

  /** The branch above a node. @param {TreeNode} node @param {number} index @param {ReturnType<typeof laidOut>} at */
  branch(node, index, at) {
    const above = this.nodes[node.parent];
    const [dx, dy] = [at.x[node.parent] - at.x[index], at.y[node.parent] - at.y[index]];
    const from = at.right ? [dx + sideOf(above.player), dy] : [dx, dy + SHAPE];
    const end = at.right ? [-sideOf(node.player), 0] : [0, node.player === null ? -12 : -SHAPE];
    const line = `M${from[0]} ${from[1]}L${end[0]} ${end[1]}`;
    const [mx, my] = [end[0] + 0.38 * (from[0] - end[0]), end[1] + 0.38 * (from[1] - end[1])];
    const angle = (Math.atan2(end[1] - from[1], end[0] - from[0]) * 180) / Math.PI;
    const found = [draw("path", { class: "branch", d: line }), draw("path", { class: "hit", d: line })];
    // The bars of neighbours do not touch: their branches meet at the parent, so they are closer here than below.
    const apart = at.children[node.parent].filter((each) => each !== index).map((each) => Math.abs(at.right ? at.y[each] - at.y[index] : at.x[each] - at.x[index]));
    const half = Math.min(9, 0.31 * Math.min(...apart) - 2);
    found.push(draw("path", { class: "bars", d: `M-3 ${-half}L-3 ${half}M3 ${-half}L3 ${half}`, transform: `translate(${mx} ${my}) rotate(${angle})` }));
    const told = branchText(node);
    const middle = at.right ? [(from[0] + end[0]) / 2, (from[1] + end[1]) / 2] : [mx, my]; // between two columns
    if (told) found.push(draw("text", { class: "told", x: middle[0], y: middle[1] + 4 }, clipped(told, 14)));
    return found;
  }

  /** @param {TreeNode} node @param {boolean} right */
  leaf(node, right) {
    const wide = leafWidth(node.shown);
    const found = [
      draw("rect", { class: "shape leaf", x: right ? -SHAPE : -wide / 2, y: -12, width: wide, height: 24, rx: 4 }),
      draw("text", { class: "payoff", x: right ? wide / 2 - SHAPE : 0, y: 5 }, clipped(node.shown, 12)),
    ];
    const label = this.leafLabel(node);
    if (label) {
      const place = right ? { x: wide - SHAPE + 5, y: 4, class: "path beside" } : { x: 0, y: 25, class: "path" };
      found.push(draw("text", place, clipped(label, 24)));
    }
    const high = node.board.length * SQUARE;
    if (high) found.push(right ? boardOf(node.board, wide - SHAPE + 6 + label.length * 7, -high / 2) : boardOf(node.board, -boardWidth(node.board) / 2, label ? 31 : 17));
    return found;
  }

  /** What stands at a leaf besides its payoff. @param {TreeNode} node */
  leafLabel(node) {
    return [node.given && node.title !== node.shown ? node.title : "", this.how.paths === false ? "" : `${node.path}`, node.known].filter(Boolean).join(" · ");
  }

  /** @param {TreeNode} node @param {boolean} right */
  inner(node, right) {
    const low = node.player === "MAX" ? 11 : node.player === "MIN" ? 1 : 5;
    const inside = node.title.length <= 2;
    const above = this.how.both ? -14 : -9; // what is written beside the node
    const found = [shapeOf(node.player ?? "")];
    found.push(draw("text", { class: inside ? "name" : "name beside", x: inside ? 0 : SHAPE + 4, y: inside ? low : above }, clipped(node.title, 16)));
    const high = node.board.length * SQUARE; // to the right lead the branches, where they do
    if (high) found.push(right ? boardOf(node.board, -boardWidth(node.board) / 2, -SHAPE - 3 - high) : boardOf(node.board, SHAPE + 6, -high / 2 - 4));
    if (node.known) {
      const place = right ? { x: 0, y: -SHAPE - 5, class: "told" } : { x: SHAPE + 5, y: above + 2, class: "told beside" };
      found.push(draw("text", place, clipped(node.known, 24)));
    }
    return found;
  }

  /** Show what is written and marked at the nodes; only what is new is touched. @param {Picture} picture */
  paint(picture) {
    this.picture = picture;
    const muted = this.nodes.map(() => false);
    this.nodes.forEach((node, index) => {
      muted[index] = Boolean(picture.bars?.has(index)) || (node.parent >= 0 && muted[node.parent]);
      const mark = picture.marks?.get(index);
      const classes = ["item"];
      if (picture.bars?.has(index)) classes.push("crossed");
      if (muted[index]) classes.push("muted");
      if (picture.chosen?.has(index)) classes.push("chosen");
      if (picture.lit?.has(index)) classes.push("lit");
      if (picture.current === index) classes.push("current");
      if (this.options.selects && index === this.focus) classes.push("selected");
      if (mark) classes.push(mark.sign);
      const place = picture.order?.get(index);
      const value = picture.values?.get(index) ?? (place === undefined ? "" : `${place}.`);
      if (this.items[index]) this.set(index, classes, value, picture.windows?.get(index) ?? "", mark);
    });
  }

  /** @param {number} index @param {string[]} classes @param {string} value @param {string} between
   * @param {NodeMark|undefined} mark */
  set(index, classes, value, between, mark) {
    const item = this.items[index];
    const sign = mark ? SIGNS[/** @type {keyof typeof SIGNS} */ (mark.sign)] ?? "" : "";
    const better = mark?.better ? `→ ${mark.better}` : "";
    const state = JSON.stringify([classes, value, between, sign, mark?.said, better]);
    if (item.dataset.state === state) return;
    item.dataset.state = state;
    item.setAttribute("class", [...classes, ...(value || between ? ["written"] : [])].join(" "));
    const node = this.nodes[index];
    const told = [spokenName(node)];
    if (node.player === null && node.given && node.title !== node.shown) told.push(node.title);
    if (node.known) told.push(node.known);
    if (this.folded.has(index)) told.push(say("folded", { count: this.leavesBelow(index) }));
    if (node.board.length) told.push(say("has_board", { rows: node.board.map((row) => row.join(" ")).join(" / ") }));
    if (classes.includes("crossed")) told.push(say("is_crossed"));
    if (value) told.push(say("has_value", { value }));
    if (between) told.push(between);
    if (classes.includes("chosen")) told.push(say("is_chosen"));
    if (mark) told.push(mark.said);
    item.setAttribute("aria-label", listed(told));
    if (this.how.checks) item.setAttribute("aria-checked", String(classes.includes("crossed") || classes.includes("muted")));
    else item.setAttribute("aria-selected", String(classes.includes("selected") || classes.includes("chosen")));
    for (const [name, text, right] of [["value", value, better], ["window", between, better], ["sign", sign, ""]]) {
      const place = item.querySelector(`.${name}`);
      if (!place) continue;
      place.textContent = text;
      if (name === "value") place.setAttribute("dy", between ? "15" : "0"); // below its window
      if (!text || !right) continue;
      // Next to a node there is room for one of them: what is correct goes below.
      place.append(place.classList.contains("beside") ? draw("tspan", { x: place.getAttribute("x") ?? 0, dy: 15 }, right) : ` ${right}`);
    }
  }

  /** Go to a node. @param {number} index @param {boolean} [focused] whether the keyboard goes there as well */
  go(index, focused = true) {
    this.reveal(index);
    this.items[this.focus]?.setAttribute("tabindex", "-1");
    this.focus = index;
    this.items[index].setAttribute("tabindex", "0");
    if (focused) this.items[index].focus();
    if (this.options.selects) this.paint(this.picture);
    this.options.walk?.(index);
  }

  /** What a box says may draw the tree anew as soon as the box is left, and the press that leaves it would be lost.
   * @param {Event} event */
  leaveBox(event) {
    const box = document.activeElement;
    const found = /** @type {Element} */ (event.target).closest("[data-node]");
    if (!this.options.selects || !(box instanceof HTMLInputElement) || !(found instanceof SVGElement)) return;
    box.blur();
    this.go(Number(found.dataset.node));
  }

  /** @param {Event} event */
  clicked(event) {
    const found = /** @type {Element} */ (event.target).closest("[data-node]");
    if (!(found instanceof SVGElement)) return;
    if (/** @type {Element} */ (event.target).closest(".fold")) return this.fold(Number(found.dataset.node));
    this.go(Number(found.dataset.node));
    this.options.touch?.(this.focus, "touch");
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const siblings = this.nodes[this.focus].parent < 0 ? [this.focus] : this.children[this.nodes[this.focus].parent];
    const place = siblings.indexOf(this.focus);
    const moves = {
      ArrowRight: this.children[this.focus][0], ArrowLeft: this.nodes[this.focus].parent, ArrowUp: siblings[place - 1],
      ArrowDown: siblings[place + 1], Home: 0, End: this.items.length - 1,
    };
    if (event.key in moves) {
      const next = moves[/** @type {keyof typeof moves} */ (event.key)];
      if (next !== undefined && next >= 0) this.go(next);
      event.preventDefault();
    } else if (event.key === "z" && this.large) {
      this.fold(this.focus);
    } else if (event.key === "Enter" || event.key === " " || event.key.length === 1 || event.key === "Delete" || event.key === "Insert") {
      this.options.touch?.(this.focus, event.key);
      if (!/^[-\d]$/.test(event.key)) event.preventDefault(); // a number goes on into the box that it opens
    }
  }
}
