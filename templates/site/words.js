// What the page says, in its language, and how its elements are made: always as text, never as markup.

/** What the page was made with. */
export const setup = JSON.parse(document.getElementById("setup")?.textContent || "{}");

/** What keeps apart what several sites of one address keep in a browser; the languages of one site share it, and the
 * address of this machine's own page is another every time. */
export function ownPlace() {
  if (setup.way === "server") return "";
  return `${setup.inside ? location.pathname : location.pathname.replace(/[^/]*$/, "")} `;
}

/** A sentence of the page with the values of its placeholders.
 * @param {string} key @param {Record<string, string|number>} [values] */
export function say(key, values = {}) {
  const text = String(setup.words[key] ?? key);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The same with elements for the placeholders. @param {string} key @param {Record<string, Node|string>} values */
export const phrased = (key, values) => say(key).split(/\{(\w+)\}/).map((piece, place) => (place % 2 ? (values[piece] ?? "") : piece));

/** Items one after the other; the language may separate items with commas by another sign. @param {string[]} items */
export const listed = (items) => items.join(say(items.some((item) => item.includes(",")) ? "between_commas" : "comma"));

/** A window as trees show it. @param {string} alpha @param {string} beta */
export const windowText = (alpha, beta) => `[${alpha}${say("number_separator")}${beta}]`;

/** Sentences one after the other; a full-width sign includes the space after it. @param {...string} sentences */
export const paragraph = (...sentences) =>
  sentences.filter(Boolean).reduce((text, next) => text + (!text || /[。，、；：？！）]$/.test(text) ? "" : " ") + next, "");

/** Numbers as trees show them. @param {string} text */
export const typeset = (text) => text.replaceAll("inf", "∞").replaceAll("-", "−");

/** What is heard of a mark: its sign, and the value that is right. @param {string} sign @param {string|null} value */
export const heard = (sign, value) => (value ? say("judged", { verdict: say(`is_${sign}`), value }) : say(`is_${sign}`));

/** A node for people who hear the page. @param {TreeNode} node */
export function spokenName(node) {
  if (node.player === null) return say("leaf_called", { path: node.path, payoff: node.shown });
  return say(node.player === "CHANCE" ? "chance_called" : "node_called", { player: node.player, name: node.title });
}

/** An element of the page that has to be there.
 * @template {typeof HTMLElement} [E=typeof HTMLElement] @param {string} id @param {E} [kind] @returns {InstanceType<E>} */
export function part(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`the page has no ${id}`);
  return /** @type {InstanceType<E>} */ (found);
}

/** A new element; text stays text.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node|string)} inside */
export function element(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, String(value));
  }
  made.append(...inside);
  return made;
}

/** A name or other text of somebody else's, which keeps its own direction. @param {string} text */
export const isolated = (text) => element("bdi", {}, text);

/** Copy a text; whether the browser let this happen. @param {string} text */
export const copyText = async (text) => await navigator.clipboard?.writeText(text).then(() => true, () => false);

/** Hand a file over. @param {string} name @param {Blob} content */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** The same action, but once for several calls that follow each other soon.
 * @param {() => void} action @param {number} wait milliseconds */
export function soon(action, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(action, wait);
  };
}
