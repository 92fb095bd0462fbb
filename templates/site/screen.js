// A screen of alike pictures in rows: a person clicks what is in the wrong row, names rows, and confirms all at once.

import { element, part, say } from "./words.js";

/** @typedef {{says: string, label: string}} Choice */
/** @typedef {{key: string, image: string, text?: string, label: string}} Item */
/** @typedef {{says: string, title: string, choices: Choice[], accepts: string, items: Item[]}} Row */

/** The rows on the screen, each with its field, if it is named by typing.
 * @type {{row: Row, field: HTMLInputElement|null, items: {item: Item, button: HTMLButtonElement, place: number}[]}[]} */
let shownRows = [];
/** Whether Enter was pressed while rows had no name: once more leaves them for later. */
let unnamedWarned = false;

/** Show the rows of a screen. @param {Row[]} rows */
export function showRows(rows) {
  unnamedWarned = false;
  const grid = part("grid");
  grid.replaceChildren();
  shownRows = rows.map((row, number) => {
    const field = row.choices.length ? null : nameField(row, number);
    const items = row.items.map((item) => ({ item, button: pictureButton(item), place: 0 }));
    const group = element("div", { class: row.items.length > 1 ? "row" : "row single", "data-says": row.says, role: "group", "aria-label": row.title || say("row", { number: number + 1 }) });
    if (row.title) group.append(element("h3", {}, row.title));
    if (field) group.append(field);
    const pictures = element("div", { class: "pictures" });
    pictures.append(...items.map((each) => each.button));
    group.append(pictures);
    grid.append(group);
    const made = { row, field, items };
    for (const each of items) {
      each.button.addEventListener("click", () => turnOver(made.row, each));
      markPicture(row, each);
    }
    return made;
  });
  const first = shownRows.find((each) => each.field && !each.field.value)?.field ?? shownRows.find((each) => each.field)?.field;
  if (first) first.focus();
  else part("title").focus({ preventScroll: true });
  first?.select();
}

/** The field that names a row: one sign, after which the next row is named. @param {Row} row @param {number} number */
function nameField(row, number) {
  const words = say(row.items.length > 1 ? "what_row" : "what_one");
  const label = say("labelled", { label: say("row", { number: number + 1 }), text: words });
  const made = element("input", { class: "name", size: 2, maxlength: 1, autocomplete: "off", spellcheck: "false", "aria-label": label });
  if (!(made instanceof HTMLInputElement)) throw new Error("not an input");
  made.value = row.says;
  made.addEventListener("input", () => {
    unnamedWarned = false;
    const sign = made.value.toLowerCase();
    if (sign && !acceptedSigns(row).includes(sign)) {
      part("note").textContent = say("not_in_box");
      made.value = "";
      return;
    }
    part("note").textContent = "";
    made.value = sign;
    if (sign) goToRow(made, 1);
  });
  made.addEventListener("focus", () => made.select());
  return made;
}

/** What may be typed for a row; e says that nothing is written. @param {Row} row */
const acceptedSigns = (row) => `${row.accepts}e`;

/** Go to the field of another row. @param {HTMLInputElement} from @param {number} steps */
function goToRow(from, steps) {
  const fields = shownRows.flatMap((each) => each.field ?? []);
  fields[fields.indexOf(from) + steps]?.focus();
}

/** A picture to click. @param {Item} item */
function pictureButton(item) {
  const made = element("button", { type: "button", class: "picture" });
  made.append(item.text === undefined ? element("img", { src: item.image || "data:,", alt: "" }) : element("bdi", {}, item.text));
  if (!(made instanceof HTMLButtonElement)) throw new Error("not a button");
  return made;
}

/** The choices of a picture: that of its row first, then the others, and at last that it is asked later.
 * @param {Row} row @returns {(Choice|null)[]} */
function choicesOf(row) {
  const own = row.choices.filter((each) => each.says === row.says);
  return [...(own.length ? own : [{ says: row.says, label: "" }]), ...row.choices.filter((each) => each.says !== row.says), null];
}

/** Take the next choice for a picture. @param {Row} row @param {{item: Item, button: HTMLButtonElement, place: number}} each */
function turnOver(row, each) {
  each.place = (each.place + 1) % choicesOf(row).length;
  markPicture(row, each);
}

/** Show what is chosen for a picture. @param {Row} row @param {{item: Item, button: HTMLButtonElement, place: number}} each */
function markPicture(row, each) {
  const chosen = choicesOf(row)[each.place];
  const state = chosen ? chosen.label : say("apart");
  each.button.classList.toggle("other", each.place > 0 && chosen !== null);
  each.button.classList.toggle("apart", chosen === null);
  each.button.dataset.state = each.place > 0 ? state : "";
  each.button.dataset.key = each.item.key;
  each.button.setAttribute("aria-label", state ? say("state", { box: each.item.label, state }) : each.item.label);
}

/** What the screen decides, or null while rows without a name have to be confirmed.
 * @returns {{decisions: Record<string, string>, apart: string[]}|null} */
export function decided() {
  const unnamed = shownRows.filter((each) => each.field && !each.field.value);
  if (unnamed.length && !unnamedWarned) {
    unnamedWarned = true;
    unnamed[0].field?.focus();
    part("note").textContent = say("unnamed_rows");
    return null;
  }
  /** @type {Record<string, string>} */
  const decisions = {};
  /** @type {string[]} */
  const apart = [];
  for (const { row, field, items } of shownRows) {
    const name = field ? (field.value === "e" ? "empty" : field.value) : row.says;
    for (const { item, place } of items) {
      const chosen = choicesOf({ ...row, says: name })[place];
      if (chosen?.says) decisions[item.key] = chosen.says;
      else apart.push(item.key);
    }
  }
  return { decisions, apart };
}

/** Go from picture to picture, or from field to field; whether there was one to go to.
 * @param {string} key */
export function walk(key) {
  const here = document.activeElement;
  const steps = key === "arrowright" || key === "arrowdown" ? 1 : -1;
  if (here instanceof HTMLInputElement && (key === "arrowup" || key === "arrowdown")) {
    goToRow(here, steps);
    return true;
  }
  const buttons = shownRows.flatMap((each) => each.items.map(({ button }) => button));
  if (!buttons.length || here instanceof HTMLInputElement) return false;
  const place = here instanceof HTMLButtonElement ? buttons.indexOf(here) : -1;
  const up = key === "arrowup" || key === "arrowdown";
  const line = place < 0 ? 1 : buttons.filter((each) => each.offsetTop === buttons[place].offsetTop).length;
  const next = place < 0 ? (steps > 0 ? 0 : buttons.length - 1) : place + steps * (up ? line : 1);
  buttons[Math.max(0, Math.min(buttons.length - 1, next))].focus();
  return true;
}
