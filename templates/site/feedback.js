// What is said of a reply, in two steps: first of one's own entries and the likely mistake, then the key and reasons.

import { pathTo } from "./layout.js";
import { element, heard, isolated, listed, phrased, say, typeset } from "./words.js";

const OWN = ["right", "follows", "partly", "wrong", "extra"];

/** The entries of one verdict. @param {{verdict: string, items: string[]}} own */
function ownEntries({ verdict, items }) {
  const list = element("strong", {}, isolated(listed(items)));
  return element("li", { class: verdict }, ...phrased("remark", { items: list, verdict: say(`is_${verdict}`), text: "" }));
}

/** What is said first: which of the student's own entries are right, and the likely mistake; nothing of the key.
 * @param {import("./marker.js").Answer} said */
export function firstWords(said) {
  const found = said.own.map(ownEntries);
  if (said.missing) found.push(element("li", { class: "missing" }, say("something_missing")));
  if (!said.diagnosis.length) return found;
  const notes = said.diagnosis.map((/** @type {string} */ note) => element("p", {}, note));
  return [element("li", { class: "diagnosis" }, element("strong", {}, said.lead), ...notes), ...found];
}

/** What is said then: every reason, each a button that lights its path in the tree.
 * @param {import("./marker.js").Answer} said @param {(nodes: number[]) => void} light */
export function reasons(said, light) {
  return (said.remarks ?? []).map((/** @type {any} */ remark) => {
    const items = element("strong", {}, isolated(listed(remark.items)));
    const words = phrased("remark", { items, verdict: say(`is_${remark.verdict}`), text: remark.text });
    return element("li", { class: remark.verdict }, ...lighting(words, remark.nodes, light));
  });
}

/** The hints so far. @param {import("./marker.js").Answer} answer @param {(nodes: number[]) => void} light */
export const hintItems = (answer, light) => answer.hints.map((/** @type {any} */ hint) => element("li", { class: "step" }, ...lighting([hint.text], hint.nodes, light)));

/** Words, as a button where they are about nodes. @param {(Node|string)[]} words @param {number[]} nodes
 * @param {(nodes: number[]) => void} light */
function lighting(words, nodes, light) {
  if (!nodes.length) return words;
  return [element("button", { type: "button", class: "plain", onclick: () => light(nodes) }, ...words)];
}

/** All nodes on the paths to some. @param {TreeNode[]} tree @param {number[]} nodes */
export const litPaths = (tree, nodes) => new Set(nodes.flatMap((node) => pathTo(tree, node)));

/** The marks in the tree; of the key only when it was asked for. @param {TreeNode[]} nodes @param {any} mark
 * @param {boolean} key @returns {Map<number, NodeMark>} */
export function marksOf(nodes, mark, key) {
  const named = new Map(nodes.map((node, index) => [node.name, index]));
  const found = new Map();
  for (const { name, said, verdict, right } of mark.items) {
    const node = named.get(name);
    if (node === undefined || !(key || (said && OWN.includes(verdict)))) continue;
    const better = key && said && right && said !== right ? plain(right) : "";
    found.set(node, { sign: verdict, said: heard(verdict, key ? right : null), better });
  }
  return found;
}

/** An entry without the name of its node. @param {string} text */
const plain = (text) => typeset(text.replace(/^[^=[]*=/, "").replace(/^[^[]* (?=\[)/, "")).replace("−>", "→");
