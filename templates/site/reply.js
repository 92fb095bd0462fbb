// What is done to a tree, and the reply that this is: both are one thing, and either follows the other.

import { below, covering } from "./layout.js";
import { typeset, windowText } from "./words.js";

const WORD = /(?:"(?:[^"\\]|\\.)*"|[^\s,;:"]+):?|:/g;

/** Nothing done yet. @returns {Done} */
export const nothing = () => ({ crossed: new Set(), values: new Map(), windows: new Map(), order: [], chosen: -1, picked: new Set() });

/** @param {Question} question */
const leaves = (question) => [...question.nodes.keys()].filter((node) => question.nodes[node].player === null);

/** Touch a node: cross it out or not, choose it, or make it the next. Whether that says anything.
 * @param {Question} question @param {Done} done @param {number} node */
export function touch(question, done, node) {
  const own = question.nodes[node];
  const under = below(question.nodes, node);
  switch (question.touch) {
    case "leaves": {
      const touched = under.filter((each) => question.nodes[each].player === null);
      const all = touched.every((each) => done.crossed.has(each));
      touched.forEach((each) => (all ? done.crossed.delete(each) : done.crossed.add(each)));
      return true;
    }
    case "branches":
      if (own.parent < 0) return false;
      if (done.crossed.has(node)) done.crossed.delete(node);
      else {
        under.forEach((each) => done.crossed.delete(each));
        done.crossed.add(node);
      }
      return true;
    case "order":
      if (own.player !== null) return false;
      if (done.order.includes(node)) done.order.splice(done.order.indexOf(node), 1);
      else done.order.push(node);
      return true;
    case "orders":
      if (own.parent < 0) return false;
      if (done.order.includes(node)) done.order.splice(done.order.indexOf(node), 1);
      else done.order.push(node);
      return true;
    case "choices": {
      if (own.parent < 0) return false;
      const had = done.picked.has(node);
      question.nodes.forEach((each, index) => each.parent === own.parent && done.picked.delete(index));
      if (!had) done.picked.add(node);
      return true;
    }
    case "leaf":
      if (own.player !== null) return false;
      done.chosen = done.chosen === node ? -1 : node;
      return true;
    case "child":
      if (own.parent !== 0) return false;
      done.chosen = done.chosen === node ? -1 : node;
      return true;
    default:
      return false;
  }
}

/** The reply that is done to the tree. @param {Question} question @param {Done} done */
export function write(question, done) {
  const { nodes } = question;
  const sorted = [...done.crossed].sort((one, other) => one - other);
  switch (question.touch) {
    case "leaves":
      return sorted.map((node) => nodes[node].path).join(" ");
    case "branches":
      return sorted.map((node) => nodes[node].spelled).join(" ");
    case "order":
      return done.order.map((node) => nodes[node].path).join(" ");
    case "orders":
      return rows(question, (node) => {
        const own = done.order.filter((each) => nodes[each].parent === node);
        return own.length ? `${nodes[node].spelled}: ${own.map((each) => nodes[each].spelled).join(" ")}` : "";
      }).join("\n");
    case "choices":
      return [...done.picked].sort((one, other) => nodes[one].parent - nodes[other].parent)
        .map((node) => `${nodes[nodes[node].parent].spelled}->${nodes[node].spelled}`).join(", ");
    case "payoffs":
      return done.values.size ? leaves(question).map((node) => done.values.get(node) ?? "?").join(" ") : "";
    case "numbers":
      return [...done.values].sort(([one], [other]) => one - other).map(([node, value]) => `${nodes[node].spelled}=${value}`).join(" ");
    case "leaf":
      return done.chosen < 0 ? "" : `${nodes[done.chosen].path}`;
    case "child":
      return done.chosen < 0 ? "" : childSpelled(question, done.chosen);
    case "values":
      return rows(question, (node) => (done.values.get(node) ? `${nodes[node].spelled}=${done.values.get(node)}` : "")).join(" ");
    case "windows":
      return rows(question, (node) => {
        const [alpha = "", beta = "", value = ""] = done.windows.get(node) ?? [];
        return alpha || beta || value ? `${nodes[node].spelled} [${alpha}, ${beta}] -> ${value}` : "";
      }).join("\n");
    default:
      return "";
  }
}

/** A child of the root in a reply: its name, or the number of the move. @param {Question} question @param {number} node */
function childSpelled(question, node) {
  const own = question.nodes[node];
  if (own.player !== null || own.given) return own.spelled;
  return `${question.nodes.filter((each, index) => each.parent === 0 && index <= node).length}`;
}

/** @param {Question} question @param {(node: number) => string} one @returns {string[]} */
const rows = (question, one) => [...question.nodes.keys()].filter((node) => question.nodes[node].player !== null).map(one).filter(Boolean);

/** What a reply does to the tree, or null for a reply that only the grader can read.
 * @param {Question} question @param {string} text @returns {Done|null} */
export function read(question, text) {
  const done = nothing();
  const plain = text.trim();
  if (!plain || plain === question.nothing) return done;
  if (/\S{300}/.test(plain)) return null; // no name is as long, and the patterns below would take long
  const named = new Map(question.nodes.map((node, index) => [node.spelled, index]));
  const at = leaves(question);
  switch (question.touch) {
    case "leaves":
    case "order": {
      for (const piece of plain.split(/[\s,;]+/)) {
        const found = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(piece);
        if (!found) return null;
        for (let path = Number(found[1]); path <= Number(found[2] ?? found[1]); path++) {
          if (at[path - 1] === undefined) return null;
          done.crossed.add(at[path - 1]);
          done.order.push(at[path - 1]);
        }
      }
      if (question.touch === "leaves") done.order = [];
      else done.crossed.clear();
      return done;
    }
    case "branches":
      for (const piece of plain.match(/"(?:[^"\\]|\\.)*"|[^\s,;]+/g) ?? []) {
        const node = named.get(piece);
        if (node === undefined) return null;
        done.crossed.add(node);
      }
      return done;
    case "leaf":
      done.chosen = /^\d{1,6}$/.test(plain) ? (at[Number(plain) - 1] ?? -1) : -1;
      return done.chosen < 0 ? null : done;
    case "child":
      done.chosen = question.nodes.findIndex((node, index) => node.parent === 0 && childSpelled(question, index) === plain);
      return done.chosen < 0 ? null : done;
    case "orders": {
      let parent = -1;
      for (const piece of plain.match(WORD) ?? []) {
        if (piece === ":") continue;
        const node = named.get(piece.replace(/:$/, ""));
        if (node === undefined || (!piece.endsWith(":") && question.nodes[node].parent !== parent)) return null;
        if (piece.endsWith(":")) parent = node;
        else done.order.push(node);
      }
      return done;
    }
    case "choices":
      for (const piece of plain.split(/[\s,;]+(?=\S*\s*->)/)) {
        const [from, to, more] = piece.split("->").map((name) => named.get(name.trim().replace(/[,;]$/, "")));
        if (from === undefined || to === undefined || more !== undefined || question.nodes[to].parent !== from) return null;
        done.picked.add(to);
      }
      return done;
    case "payoffs": {
      const pieces = plain.split(/[\s,;]+/);
      if (pieces.length !== at.length) return null;
      pieces.forEach((piece, place) => piece !== "?" && done.values.set(at[place], piece));
      return done;
    }
    case "numbers":
    case "values": {
      const rest = plain.replace(/("(?:[^"\\]|\\.)*"|[^\s"=:,;]+)\s*[=:]\s*([^\s,;]+)/g, (whole, name, value) => {
        if (!named.has(name)) return whole;
        done.values.set(/** @type {number} */ (named.get(name)), value);
        return "";
      });
      return /[^\s,;]/.test(rest) ? null : done;
    }
    case "windows": {
      const rest = plain.replace(/("(?:[^"\\]|\\.)*"|[^\s"[\];,]+)\s*\[([^,;[\]]*)[,;]([^\]]*)\]\s*(?:->\s*([^\s,;]*))?/g, (whole, name, alpha, beta, value) => {
        if (!named.has(name)) return whole;
        done.windows.set(/** @type {number} */ (named.get(name)), [alpha.trim(), beta.trim(), value ?? ""]);
        return "";
      });
      return /[^\s,;]/.test(rest) ? null : done;
    }
    default:
      return null;
  }
}

/** What is done to a tree, as a picture. @param {Question} question @param {Done} done @returns {Picture} */
export function pictured(question, done) {
  /** @param {number} node */
  const parent = (node) => question.nodes[node].parent;
  return {
    bars: question.touch === "leaves" ? covering(question.nodes, done.crossed) : done.crossed,
    values: new Map([...done.values].map(([node, value]) => [node, typeset(value)])),
    windows: new Map([...done.windows].map(([node, [alpha, beta, value]]) => [node, typeset(`${windowText(alpha, beta)} ${value}`)])),
    order: new Map(done.order.map((node, place) => [node, 1 + (question.touch === "orders" ? done.order.slice(0, place).filter((each) => parent(each) === parent(node)).length : place)])),
    chosen: new Set(done.chosen < 0 ? done.picked : [done.chosen]),
  };
}
