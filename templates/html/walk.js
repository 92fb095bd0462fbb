"use strict";
// Arrow keys walk through each tree of a paper: right and left to the first child and the parent, up and
// down to the siblings. Without this script a tree is a picture with a description, a text and a table.
const SVG = "http://www.w3.org/2000/svg";
const FOCUS_RADIUS_PIXELS = 21;

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function walkable(picture) {
  const nodes = JSON.parse(picture.dataset.nodes);
  if (!nodes.length) return;
  const svg = picture.querySelector("svg");
  const tree = element("g", { role: "tree", "aria-label": picture.getAttribute("aria-label"), fill: "transparent" });
  const levels = [];
  const items = nodes.map(([parent, x, y, words], index) => {
    levels.push(parent < 0 ? 1 : levels[parent] + 1);
    const item = element("g", { role: "treeitem", tabindex: index ? -1 : 0, "aria-label": words, "aria-level": levels[index] });
    item.append(element("circle", { cx: x, cy: y, r: FOCUS_RADIUS_PIXELS }));
    tree.append(item);
    return item;
  });
  const children = (node) => nodes.flatMap(([parent], index) => (parent === node ? [index] : []));
  const sibling = (node, step) => {
    const row = children(nodes[node][0]);
    return row[row.indexOf(node) + step];
  };
  const moves = {
    ArrowRight: (node) => children(node)[0],
    ArrowLeft: (node) => nodes[node][0],
    ArrowUp: (node) => sibling(node, -1),
    ArrowDown: (node) => sibling(node, 1),
    Home: () => 0,
  };
  tree.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in moves)) return;
    event.preventDefault();
    const from = items.indexOf(event.target.closest("[role=treeitem]"));
    const target = items[moves[event.key](from)];
    if (!target) return;
    items[from].setAttribute("tabindex", -1);
    target.setAttribute("tabindex", 0);
    target.focus();
  });
  svg.setAttribute("role", "group"); // screen readers skip the contents of an image
  svg.append(tree);
  picture.removeAttribute("tabindex");
}

document.querySelectorAll(".picture[data-nodes]").forEach(walkable);
