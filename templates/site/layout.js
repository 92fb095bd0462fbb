// Where the nodes of a tree go: upright if it fits, otherwise turned, and as large as there is room for.

export const SHAPE = 15;
export const SQUARE = 14;
const MARGIN = 14;
const NARROWEST = 24; // of a leaf: what a finger can touch
const FLATTEST = 58; // the least height of a level: a node, and a branch with its text
const SMALLEST = 0.72; // letters of 14 pixels can still be read at this scale

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

/** The nodes from the root to a node. @param {TreeNode[]} nodes @param {number} node */
export function pathTo(nodes, node) {
  const found = [node];
  while (nodes[found[0]].parent >= 0) found.unshift(nodes[found[0]].parent);
  return found;
}

/** The topmost nodes all of whose leaves are in a set. @param {TreeNode[]} nodes @param {Set<number>} leaves */
export function covering(nodes, leaves) {
  const whole = nodes.map((node, index) => (node.player === null ? leaves.has(index) : true));
  for (let node = nodes.length - 1; node > 0; node--) if (!whole[node]) whole[nodes[node].parent] = false;
  return new Set([...nodes.keys()].filter((node) => whole[node] && (node === 0 || !whole[nodes[node].parent])));
}

/** What stands at the branch above a node: the name of the move and its probability. @param {TreeNode} node */
export const branchText = (node) => [node.move, node.chance].filter((text) => text !== null).join(" · ");

/** How wide a board is. @param {string[][]} board */
export const boardWidth = (board) => board.reduce((most, row) => Math.max(most, row.reduce((sum, sign) => sum + squareWidth(sign), 0)), 0);

/** How wide a square is. @param {string} sign */
export const squareWidth = (sign) => Math.max(SQUARE, Math.min(sign.length, 12) * 8 + 2);

/** How wide the box of a payoff is. @param {string} shown */
export const leafWidth = (shown) => Math.max(22, Math.min(shown.length, 12) * 8.5 + 5);

/** @typedef {{width: number, height: number, beside: number, both?: boolean, enlarged: number, smallest?: number}} Room the pixels that
 * there are, those needed right of an inner node for what is written there, whether that has two lines, and the largest and the smallest scale */

/** How far apart leaves have to be, so that neighbours of one depth have the room that they need.
 * @param {TreeNode[]} nodes @param {number[]} depth @param {number[]} slot @param {(left: number) => number} needed */
function gapFor(nodes, depth, slot, needed) {
  /** @type {number[]} */
  const before = [];
  return nodes.reduce((most, _, index) => {
    const left = before[depth[index]];
    before[depth[index]] = index;
    return left === undefined || nodes[left].player === null ? most : Math.max(most, needed(left) / (slot[index] - slot[left]));
  }, 0);
}

/** Where some nodes go, in a tree that ends at them. @param {TreeNode[]} nodes @param {number[]} shown @param {Room} room */
export function laidOut(nodes, shown, room) {
  const placed = new Map(shown.map((node, place) => [node, place]));
  const at = layout(shown.map((node) => ({ ...nodes[node], parent: placed.get(nodes[node].parent) ?? -1 })), room);
  /** @template T @param {T[]} values @returns {T[]} */
  const spread = (values) => {
    /** @type {T[]} */
    const found = [];
    shown.forEach((node, place) => { found[node] = values[place]; });
    return found;
  };
  return { ...at, x: spread(at.x), y: spread(at.y), children: spread(at.children.map((own) => own.map((child) => shown[child]))) };
}

/** Where every node goes: upright, turned where that does not fit, or in a place to be filled where it is much larger.
 * @param {TreeNode[]} nodes @param {Room} room */
export function layout(nodes, room) {
  const usual = arranged(nodes, room);
  if (room.smallest === undefined || usual.right) return usual;
  const turned = arranged(nodes, room, true);
  return turned.scale > 1.4 * usual.scale ? turned : usual;
}

/** Where every node goes, upright or turned. @param {TreeNode[]} nodes @param {Room} room @param {boolean} [turned] */
function arranged(nodes, room, turned = false) {
  const smallest = room.smallest ?? SMALLEST;
  const children = childrenOf(nodes);
  const depth = nodes.map(() => 0);
  const slot = nodes.map(() => 0);
  let leaves = 0;
  let widest = NARROWEST;
  let branch = 1; // the longest of what stands at any branch
  nodes.forEach((node, index) => {
    if (node.parent >= 0) depth[index] = depth[node.parent] + 1;
    branch = Math.max(branch, Math.min(branchText(node).length, 14));
    if (children[index].length) return;
    slot[index] = leaves++;
    const label = [node.given && node.title !== node.shown ? node.title : "", "00", node.known].filter(Boolean).join(" · ").length;
    const named = label > 2 ? Math.min(label, 24) * 6.2 + 8 : 0;
    widest = Math.max(widest, leafWidth(node.shown) + 2, named, Math.min((node.move ?? "").length, 14) * 7 + 6);
  });
  for (let node = nodes.length - 1; node >= 0; node--) {
    const own = children[node];
    if (own.length) slot[node] = (slot[own[0]] + slot[own[own.length - 1]]) / 2;
  }
  const plies = depth.reduce((most, own) => Math.max(most, own), 0);
  const rows = nodes.reduce((most, node) => Math.max(most, node.board.length), 0) * SQUARE;
  const columns = nodes.reduce((most, node) => Math.max(most, boardWidth(node.board)), 0);
  const inner = nodes.reduce((most, node) => Math.max(most, node.player === null ? 0 : boardWidth(node.board)), 0);
  /** The pixels right of an inner node that what stands there takes. @param {number} node */
  const taken = (node) => Math.max(room.beside, inner, Math.min(nodes[node].known.length, 24) * 6.5, nodes[node].title.length > 2 ? 10 : 0);
  /** The pixels of a label that does not fit into its node. @param {TreeNode} node */
  const labelWidth = ({ title }) => (title.length > 2 ? Math.min(title.length, 16) * 9.5 : 0);
  /** @param {number} left */
  const sideways = (left) => 2 * SHAPE + 6 + (taken(left) && taken(left) + 4);
  const gap = Math.max(widest, columns && columns + 6, gapFor(nodes, depth, slot, sideways));
  const upright = leaves * gap + 2 * MARGIN;
  const right = turned || upright * smallest > room.width;
  const row = Math.max(27, rows && rows + 8, gapFor(nodes, depth, slot, (left) => (room.both ? 76 : room.beside ? 52 : 34) + (nodes[left].known ? 14 : 0)));
  const least = Math.max(56, 6.5 * branch + 2 * Math.max(SHAPE + 2, columns / 2 + 2));
  const end = widest + (columns || 12) + 24 + (nodes.some((node) => node.player === null && node.known) ? room.beside / 3 : 0);
  const top = MARGIN + SHAPE + (right ? rows : Math.max(0, rows / 2 - SHAPE));
  const bottom = MARGIN + 18 + rows + (right ? 0 : SHAPE);
  const enlarged = rows ? 3.8 : room.enlarged;
  const usual = Math.max(room.beside > 40 ? 84 : 76, rows + 52);
  // In a low place to be filled levels are closer to each other, if letters are larger then.
  const low = (Math.max(room.height, 200) / Math.min(enlarged, room.width / upright) - top - bottom) / Math.max(plies, 1);
  const step = room.smallest === undefined ? usual : Math.min(usual, Math.max(rows + FLATTEST, low));
  const y = nodes.map((_, node) => top + (right ? slot[node] * row : depth[node] * step));
  const height = bottom + y.reduce((most, own) => Math.max(most, own), 0);
  const high = Math.max(room.height, 200) / height;
  // Upright, letters are as large as they can be; then leaves are as far apart as there is room for, but not further than twice of what they need.
  const letters = Math.max(room.smallest ?? 1, Math.min(enlarged, high, room.width / upright));
  const across = right
    ? Math.max(least, Math.min((room.width - 2 * MARGIN - end) / Math.max(plies, 1), 190))
    : Math.min(2 * gap, Math.max(gap, (room.width / letters - 2 * MARGIN) / leaves));
  const lead = Math.max(0, Math.min(nodes[0].known.length, 24) * 4 - SHAPE - MARGIN); // what stands above the root
  const x = nodes.map((_, node) => MARGIN + SHAPE + (right ? lead + depth[node] * across : (slot[node] + 0.5) * across - SHAPE));
  const lone = leaves === nodes.length ? 2 * MARGIN + 2 * (columns + 8) : 0; // a position alone
  const width = x.reduce((most, own, node) => {
    const after = right ? end : nodes[node].player === null ? across / 2 + MARGIN : SHAPE + 6 + Math.max(taken(node), labelWidth(nodes[node]));
    return Math.max(most, own + after);
  }, lone);
  const fitting = Math.min(room.width / width, high);
  // A tree is as high as it is on a page that scrolls, but not in a place that it has to fill.
  const readable = room.smallest === undefined ? Math.min(1, room.width / width) : 0;
  const scale = Math.max(smallest, readable, Math.min(enlarged, fitting));
  return { x, y, right, children, width, height, scale };
}
