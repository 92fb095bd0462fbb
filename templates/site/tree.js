// A tree on the screen: where nodes go, what stands at them, and how they are reached and touched.

import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SHAPE = 15;
const MARGIN = 26;
const SQUARE = 14;

/** The children of every node. @param {TreeNode[]} nodes @returns {number[][]} */
export function childrenOf(nodes) {
  /** @type {number[][]} */
  const found = nodes.map(() => []);
  nodes.forEach((node, index) => node.parent >= 0 && found[node.parent].push(index));
  return found;
}

/** All nodes below a node, itself included; nodes are in preorder. @param {TreeNode[]} nodes @param {number} top */
export function below(nodes, top) {
  const found = [top];
  const inside = new Set(found);
  for (let node = top + 1; node < nodes.length && inside.has(nodes[node].parent); node++) {
    inside.add(node);
    found.push(node);
  }
  return found;
}

/** The topmost nodes all of whose leaves are in a set. @param {TreeNode[]} nodes @param {Set<number>} leaves */
export function covering(nodes, leaves) {
  const whole = nodes.map((node, index) => (node.player === null ? leaves.has(index) : true));
  for (let node = nodes.length - 1; node > 0; node--) if (!whole[node]) whole[nodes[node].parent] = false;
  return new Set([...nodes.keys()].filter((node) => whole[node] && (node === 0 || !whole[nodes[node].parent])));
}

/** Where every node goes: leaves side by side, parents in the middle above, or everything turned to the right.
 * @param {TreeNode[]} nodes @param {number} room the width that is there @param {boolean} tall whether windows are shown */
export function layout(nodes, room, tall) {
  const children = childrenOf(nodes);
  const depth = nodes.map(() => 0);
  const slot = nodes.map(() => 0);
  let leaves = 0;
  let longest = 1;
  let named = 1; // the longest name of a move above a leaf
  let beside = 1; // the longest of what stands at any branch
  nodes.forEach((node, index) => {
    if (node.parent >= 0) depth[index] = depth[node.parent] + 1;
    beside = Math.max(beside, Math.min(toldOf(node).length, 14));
    if (!children[index].length) {
      slot[index] = leaves++;
      named = Math.max(named, (node.move ?? "").length);
      longest = Math.max(longest, node.shown.length, node.given ? node.title.length : 0);
    }
  });
  for (let node = nodes.length - 1; node >= 0; node--) {
    const own = children[node];
    if (own.length) slot[node] = (slot[own[0]] + slot[own[own.length - 1]]) / 2;
  }
  const plies = depth.reduce((most, own) => Math.max(most, own), 0);
  const rows = nodes.reduce((most, node) => Math.max(most, node.board.length), 0) * SQUARE;
  const columns = nodes.reduce((most, node) => Math.max(most, widest(node.board)), 0);
  const gap = Math.max(30, Math.min(longest, 12) * 9 + 14, Math.min(named, 14) * 7 + 6, columns && 2 * columns + SHAPE, known(nodes, depth, slot));
  const right = leaves * gap + 2 * MARGIN > Math.max(room, 320);
  const row = Math.max(tall ? 40 : 34, rows && rows + 8);
  const least = Math.max(62, 6.5 * beside + 2 * Math.max(SHAPE + 2, columns / 2 + 2));
  const across = right ? Math.max(least, Math.min((room - 2 * MARGIN - gap) / Math.max(plies, 1), 190)) : Math.min(2 * gap, Math.max(gap, (room - 2 * MARGIN) / leaves));
  const step = Math.max(tall ? 96 : 78, rows + 52);
  const x = nodes.map((_, node) => MARGIN + (right ? depth[node] * across : (slot[node] + 0.5) * across));
  const y = nodes.map((_, node) => MARGIN + rows + (right ? slot[node] * row : depth[node] * step));
  return {
    x, y, right, children,
    width: MARGIN + gap + x.reduce((most, own) => Math.max(most, own)),
    height: MARGIN + 24 + rows + y.reduce((most, own) => Math.max(most, own)),
  };
}

/** What stands at the branch above a node: the name of the move and its probability. @param {TreeNode} node */
const toldOf = (node) => [node.move, node.chance].filter((text) => text !== null).join(" · ");

/** How far apart leaves stand so that what is known of a node ends before the next of its depth.
 * @param {TreeNode[]} nodes @param {number[]} depth @param {number[]} slot */
function known(nodes, depth, slot) {
  /** @type {number[]} */
  const before = [];
  return nodes.reduce((most, _, index) => {
    const left = before[depth[index]];
    before[depth[index]] = index;
    const long = left === undefined || nodes[left].player === null ? 0 : nodes[left].known.length;
    return long ? Math.max(most, (Math.min(long, 24) * 6.5 + 2 * SHAPE + 10) / (slot[index] - slot[left])) : most;
  }, 0);
}

/** How wide a board is. @param {string[][]} board */
const widest = (board) => board.reduce((most, row) => Math.max(most, row.reduce((sum, sign) => sum + squareOf(sign), 0)), 0);

/** How wide a square is. @param {string} sign */
const squareOf = (sign) => Math.max(SQUARE, Math.min(sign.length, 12) * 8 + 2);

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

/** A board, its squares with their signs. @param {string[][]} board @param {number} left @param {number} top */
function boardOf(board, left, top) {
  const drawn = draw("g", { class: "board", transform: `translate(${left} ${top})` });
  board.forEach((row, line) => {
    let x = 0;
    for (const sign of row) {
      const wide = squareOf(sign);
      drawn.append(draw("rect", { x, y: line * SQUARE, width: wide, height: SQUARE }));
      if (sign !== ".") drawn.append(draw("text", { x: x + wide / 2, y: (line + 0.8) * SQUARE }, clipped(sign, 12)));
      x += wide;
    }
  });
  return drawn;
}

/** Text that fits. @param {string} text @param {number} most */
const clipped = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** A tree that can be walked through and touched. */
export class TreeView {
  /** @param {HTMLElement} place @param {{touch?: (node: number, key: string) => void, walk?: (node: number) => void, label: string}} options */
  constructor(place, options) {
    this.place = place;
    this.options = options;
    /** @type {TreeNode[]} */
    this.nodes = [];
    /** @type {Picture} */
    this.picture = {};
    this.focus = 0;
    this.tall = false;
    this.paths = true;
    /** @type {SVGElement[]} */
    this.items = [];
    /** @type {number[][]} */
    this.children = [];
    this.room = 0;
    new ResizeObserver(() => {
      if (this.nodes.length && Math.abs(this.width() - this.room) > 8) this.show(this.nodes, this);
    }).observe(place);
  }

  width() {
    return Math.max(this.place.clientWidth, 300);
  }

  /** Show a tree. @param {TreeNode[]} nodes @param {{tall?: boolean, paths?: boolean}} [how] */
  show(nodes, how = {}) {
    const focused = this.place.contains(document.activeElement);
    this.nodes = nodes;
    if (!nodes.length) return this.place.replaceChildren();
    this.tall = how.tall ?? false;
    this.paths = how.paths ?? true;
    this.room = this.width();
    this.focus = Math.max(0, Math.min(this.focus, nodes.length - 1));
    const at = layout(nodes, this.room, this.tall);
    this.children = at.children;
    const svg = draw("svg", { class: "tree", width: at.width, height: at.height, viewBox: `0 0 ${at.width} ${at.height}`, role: "tree", "aria-label": this.options.label });
    this.items = nodes.map((node, index) => this.item(node, index, at));
    svg.append(...this.items);
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("keydown", (event) => this.pressed(/** @type {KeyboardEvent} */ (event)));
    this.place.replaceChildren(svg);
    this.paint(this.picture);
    this.items[this.focus]?.setAttribute("tabindex", "0");
    if (focused) this.items[this.focus]?.focus();
  }

  /** @param {TreeNode} node @param {number} index @param {ReturnType<typeof layout>} at */
  item(node, index, at) {
    const [x, y] = [at.x[index], at.y[index]];
    const siblings = node.parent < 0 ? [index] : at.children[node.parent];
    let level = 1;
    for (let up = node.parent; up >= 0; up = this.nodes[up].parent) level++;
    const group = draw("g", {
      class: "item", role: "treeitem", tabindex: -1, "data-node": index, "aria-level": level,
      "aria-posinset": siblings.indexOf(index) + 1, "aria-setsize": siblings.length, transform: `translate(${x} ${y})`,
    });
    if (node.player !== null) group.setAttribute("aria-expanded", "true");
    if (node.parent >= 0) {
      const from = at.right ? [at.x[node.parent] + SHAPE - x, at.y[node.parent] - y] : [at.x[node.parent] - x, at.y[node.parent] + SHAPE - y];
      const end = at.right ? [-SHAPE, 0] : [0, -SHAPE];
      const line = `M${from[0]} ${from[1]}L${end[0]} ${end[1]}`;
      const [mx, my] = [end[0] + 0.38 * (from[0] - end[0]), end[1] + 0.38 * (from[1] - end[1])];
      const angle = (Math.atan2(end[1] - from[1], end[0] - from[0]) * 180) / Math.PI;
      group.append(draw("path", { class: "branch", d: line }), draw("path", { class: "hit", d: line }));
      group.append(draw("path", { class: "bars", d: "M-3 -9L-3 9M3 -9L3 9", transform: `translate(${mx} ${my}) rotate(${angle})` }));
      const told = toldOf(node);
      const middle = at.right ? [(from[0] + end[0]) / 2, (from[1] + end[1]) / 2] : [mx, my]; // between two columns
      if (told) group.append(draw("text", { class: "told", x: middle[0], y: middle[1] + 4 }, clipped(told, 14)));
    }
    group.append(draw("rect", { class: "hit", x: -SHAPE - 1, y: -SHAPE - 1, width: 2 * SHAPE + 2, height: 2 * SHAPE + 2 }));
    if (node.player === null) {
      const wide = Math.max(24, Math.min(node.shown.length, 12) * 9 + 8);
      group.append(draw("rect", { class: "shape leaf", x: at.right ? -SHAPE : -wide / 2, y: -12, width: wide, height: 24, rx: 4 }));
      group.append(draw("text", { class: "payoff", x: at.right ? wide / 2 - SHAPE : 0, y: 5 }, clipped(node.shown, 12)));
      const label = [node.given ? node.title : "", this.paths ? `${node.path}` : "", node.known].filter(Boolean).join(" · ");
      if (label) {
        const place = at.right ? { x: wide - SHAPE + 5, y: 4, class: "path beside" } : { x: 0, y: 25, class: "path" };
        group.append(draw("text", place, clipped(label, 24)));
      }
      const high = node.board.length * SQUARE;
      if (high) group.append(at.right ? boardOf(node.board, wide - SHAPE + 6 + label.length * 7, -high / 2) : boardOf(node.board, -widest(node.board) / 2, label ? 31 : 17));
    } else {
      const low = node.player === "MAX" ? 11 : node.player === "MIN" ? 1 : 5;
      const inside = node.title.length <= 2;
      group.append(shapeOf(node.player));
      group.append(draw("text", { class: inside ? "name" : "name beside", x: inside ? 0 : SHAPE + 4, y: inside ? low : -9 }, clipped(node.title, 16)));
    }
    if (node.player !== null && node.board.length) {
      const high = node.board.length * SQUARE; // to the right lead the branches, where they do
      group.append(at.right ? boardOf(node.board, -widest(node.board) / 2, -SHAPE - 3 - high) : boardOf(node.board, SHAPE + 6, -high / 2 - 4));
    }
    if (node.player !== null && node.known) {
      const place = at.right ? { x: 0, y: -SHAPE - 5, class: "told" } : { x: SHAPE + 5, y: -7, class: "told beside" };
      group.append(draw("text", place, clipped(node.known, 24)));
    }
    // Below a node lead its branches, unless they lead to the right.
    const leaf = node.player === null;
    const beside = !at.right && !leaf;
    group.append(draw("text", { class: beside ? "value beside" : "value", x: beside ? SHAPE + 5 : 0, y: leaf ? -16 : beside ? 5 : 29 }));
    group.append(draw("text", { class: beside ? "window beside" : "window", x: beside ? SHAPE + 5 : 0, y: leaf ? -16 : beside ? 19 : 43 }));
    group.append(draw("text", { class: "sign", x: -SHAPE - 4, y: -6 }));
    return group;
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
      if (picture.current === index) classes.push("current");
      if (mark) classes.push(mark.sign);
      const place = picture.order?.get(index);
      const value = picture.values?.get(index) ?? (place === undefined ? "" : `${place}.`);
      this.set(index, classes.join(" "), value, picture.windows?.get(index) ?? "", mark);
    });
  }

  /** @param {number} index @param {string} classes @param {string} value @param {string} between
   * @param {NodeMark|undefined} mark */
  set(index, classes, value, between, mark) {
    const item = this.items[index];
    const signs = { right: "✓", follows: "✓", partly: "½", wrong: "✗", extra: "✗", missing: "○" };
    const sign = mark ? signs[/** @type {keyof typeof signs} */ (mark.sign)] ?? "" : "";
    const state = JSON.stringify([classes, value, between, sign, mark?.said]);
    if (item.dataset.state === state) return;
    item.dataset.state = state;
    item.setAttribute("class", classes);
    const node = this.nodes[index];
    const told = [node.player === null ? say("leaf_called", { path: node.path, payoff: node.shown }) : say("node_called", { player: node.player, name: node.title })];
    if (node.player === null && node.given) told.push(node.title);
    if (node.known) told.push(node.known);
    if (node.board.length) told.push(say("has_board", { rows: node.board.map((row) => row.join(" ")).join(" / ") }));
    if (classes.includes("crossed")) told.push(say("is_crossed"));
    if (value) told.push(say("has_value", { value }));
    if (between) told.push(between);
    if (classes.includes("chosen")) told.push(say("is_chosen"));
    if (mark) told.push(mark.said);
    item.setAttribute("aria-label", told.join(", "));
    const texts = { value, window: between, sign };
    for (const [name, text] of Object.entries(texts)) {
      const place = item.querySelector(`.${name}`);
      if (place && place.textContent !== text) place.textContent = text;
    }
  }

  /** Go to a node. @param {number} index */
  go(index) {
    this.items[this.focus]?.setAttribute("tabindex", "-1");
    this.focus = index;
    this.items[index].setAttribute("tabindex", "0");
    this.items[index].focus();
    this.options.walk?.(index);
  }

  /** @param {Event} event */
  clicked(event) {
    const found = /** @type {Element} */ (event.target).closest("[data-node]");
    if (!(found instanceof SVGElement)) return;
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
      ArrowDown: siblings[place + 1], Home: 0, End: this.nodes.length - 1,
    };
    if (event.key in moves) {
      const next = moves[/** @type {keyof typeof moves} */ (event.key)];
      if (next !== undefined && next >= 0) this.go(next);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " " || event.key.length === 1 || event.key === "Delete" || event.key === "Insert") {
      this.options.touch?.(this.focus, event.key);
      if (!/^[-\d]$/.test(event.key)) event.preventDefault(); // a number goes on into the box that it opens
    }
  }
}
