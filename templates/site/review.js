// The page on which a person decides about scans: one question after the other, one key each.

import { ask } from "./marker.js";
import { element, part, setup } from "./words.js";

/** @typedef {{name: string, key: string, label: string, place: number[], state: string, open: boolean}} Box */
/** @typedef {{key: string, sort: string, title: string, why: string, whose?: string, image: string, close?: string,
 *   current?: string, how?: string, boxes: Box[], variant?: string, number?: number}} Task */

const SORTS = ["page", "sheet", "box", "written"];
/** @type {Task|null} */
let task = null;
let busy = false;
let current = "";
let turn = 0;
/** Whether nothing was typed and Enter was pressed: once more says that nothing is written. */
let blank = false;

/** Send what was decided, and show what is asked next. @param {Record<string, unknown>} message */
async function send(message) {
  if (busy) return;
  busy = true;
  const answer = await ask(message);
  busy = false;
  if (answer.errors) {
    part("note").textContent = [answer.errors[0].message, answer.errors[0].hint].join(" ").trim();
    return;
  }
  part("note").textContent = "";
  show(answer.task, answer.left);
}

/** Show a question, or that there is none. @param {Task|null} next @param {Record<string, number>} left */
function show(next, left) {
  task = next;
  blank = false;
  turn = 0;
  for (const sort of SORTS) {
    part(`left-${sort}`).querySelector("strong")?.replaceChildren(String(left[sort]));
    part(`left-${sort}`).classList.toggle("now", task?.sort === sort);
  }
  part("title").textContent = task ? task.title : "Everything is decided.";
  part("why").textContent = task ? reason(task.why) : "";
  part("whose").textContent = task?.whose ?? (task ? "" : "Close this page, and press Ctrl-C where the program runs.");
  part("choose").hidden = !task || task.sort === "page" || task.sort === "written";
  part("naming").hidden = task?.sort !== "page";
  part("typing").hidden = task?.sort !== "written";
  part("look").hidden = !task?.image;
  part("later").hidden = !task;
  if (task) picture(task);
  document.body.dataset.task = task ? task.key : "";
}

/** A reason as a sentence. @param {string} why */
const reason = (why) => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;

/** The scan with its boxes, and what is to be filled in beside it. @param {Task} asked */
function picture(asked) {
  const sheet = part("sheet");
  part("seen", HTMLImageElement).src = asked.image;
  part("close", HTMLImageElement).src = asked.close || "data:,";
  part("close").hidden = !asked.close;
  sheet.classList.toggle("whole", asked.sort === "sheet" || asked.sort === "page");
  sheet.dataset.turn = "0";
  for (const old of sheet.querySelectorAll(".box")) old.remove();
  const typed = asked.sort === "written";
  for (const box of asked.boxes) {
    const [left, top, width, height] = box.place.map((share) => `${share * 100}%`);
    const name = `${box.label}, ${box.open ? "to be decided" : box.state}`;
    const made = element(typed ? "div" : "button", { class: `box ${box.state}`, "data-name": box.name });
    made.style.cssText = `left: calc(${left} - 4px); top: calc(${top} - 4px); width: calc(${width} + 8px); height: calc(${height} + 8px)`;
    made.classList.toggle("open", box.open);
    made.classList.toggle("writing", typed);
    if (!typed) {
      made.setAttribute("type", "button");
      made.setAttribute("aria-label", name);
      made.addEventListener("click", () => go(box.name));
      made.addEventListener("focus", () => go(box.name));
    }
    sheet.append(made);
  }
  current = "";
  if (asked.sort === "page") identify(asked);
  else if (typed) type(asked);
  else if (asked.boxes.some((box) => box.name === asked.current)) go(asked.current ?? "");
  else part("title").focus({ preventScroll: true });
  if (typed) sheet.querySelector(`[data-name="${CSS.escape(asked.current ?? "")}"]`)?.setAttribute("aria-current", "true");
}

/** Go to a box of the sheet. @param {string} name */
function go(name) {
  if (current === name) return;
  current = name;
  for (const box of part("sheet").querySelectorAll(".box")) {
    if (!(box instanceof HTMLElement)) continue;
    const here = box.dataset.name === name;
    box.toggleAttribute("aria-current", here);
    if (here) {
      box.setAttribute("aria-current", "true");
      box.focus({ preventScroll: true });
      box.scrollIntoView({ block: "nearest" });
    }
  }
}

/** Ask which page it is. @param {Task} asked */
function identify(asked) {
  part("student", HTMLInputElement).value = asked.variant ?? "";
  part("number", HTMLSelectElement).value = String(asked.number || 1);
  known();
  part("student").focus();
}

/** Ask what is written. @param {Task} asked */
function type(asked) {
  part("said", HTMLInputElement).value = "";
  part("how").textContent = asked.how ?? "";
  part("said").focus();
}

/** The variant that is meant: by its code, or by the only student of this name or number. */
function meant() {
  const said = part("student", HTMLInputElement).value.trim().toLowerCase();
  /** @type {{code: string, name: string, identifier: string}[]} */
  const people = setup.people;
  const exact = people.filter((each) => [each.code, each.identifier, each.name].some((text) => text.toLowerCase() === said));
  if (exact.length === 1) return exact[0];
  const near = people.filter((each) => said && `${each.name} ${each.identifier}`.toLowerCase().includes(said));
  return near.length === 1 ? near[0] : null;
}

/** Tell whom the field means. */
function known() {
  const who = meant();
  part("who").textContent = who ? `${who.name}, ${who.identifier}, variant ${who.code}` : "";
}

/** Decide the box that is looked at. @param {string} says */
function decide(says) {
  if (!task) return;
  const box = task.boxes.find((each) => each.name === current);
  if (box) void send({ ask: "decide", box: box.key, says });
  else if (says === "empty") void send({ ask: "decide", box: task.key, says });
  else part("note").textContent = "Go to the box that is crossed with the arrow keys first.";
}

/** Go so many boxes on. @param {number} steps */
function step(steps) {
  if (!task?.boxes.length) return;
  const place = task.boxes.findIndex((box) => box.name === current);
  const count = task.boxes.length;
  go(task.boxes[place < 0 ? (steps > 0 ? 0 : count - 1) : (place + steps + count) % count].name);
}

const undo = () => void send({ ask: "undo" });
const later = () => task && void send({ ask: "later", of: task.key });

part("crossed").addEventListener("click", () => decide("crossed"));
part("empty").addEventListener("click", () => decide("empty"));
part("undo").addEventListener("click", undo);
part("later").addEventListener("click", later);
part("student").addEventListener("input", known);
part("aside").addEventListener("click", () => task && void send({ ask: "name", page: task.key, says: "aside" }));
part("turn").addEventListener("click", () => {
  turn = (turn + 1) % 4;
  part("sheet").dataset.turn = String(turn);
});
part("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  const who = meant();
  const number = part("number", HTMLSelectElement).value;
  if (!who) part("note").textContent = "Nobody, or more than one, is called so.";
  else if (task) void send({ ask: "name", page: task.key, says: `${who.code}/${number}` });
});
part("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = part("said", HTMLInputElement).value.trim();
  if (!said && !blank) {
    blank = true;
    part("note").textContent = "Is nothing written there? Press Enter once more.";
  } else if (task) void send({ ask: "decide", box: task.key, says: said || "empty" });
});
part("said").addEventListener("input", () => {
  blank = false;
  part("note").textContent = "";
});
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const writing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.repeat && ["x", "e", "escape", "pagedown", "enter"].includes(key) && !(writing && key.length === 1)) event.preventDefault();
  else if (key === "escape") undo();
  else if (key === "pagedown") later();
  else if (writing || part("choose").hidden) return;
  else if (key === "x") decide("crossed");
  else if (key === "e") decide("empty");
  else if (key === "arrowright") step(1);
  else if (key === "arrowleft") step(-1);
  else return;
  event.preventDefault();
});
void send({ ask: "next" });
