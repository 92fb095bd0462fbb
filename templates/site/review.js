// The page on which a person decides what could not be read: one question after the other, with a key for each answer.

import { ask } from "./marker.js";
import { chooseTyped, replyKey, showReplies, toggleKey, walkReplies } from "./replies.js";
import { decided, showRows, walk } from "./screen.js";
import { element, listed, paragraph, part, say, setup } from "./words.js";

/** @typedef {{name: string, key: string, label: string, place: number[], state: string, open: boolean}} Box */
/** @typedef {{key: string, sort: string, title: string, why: string, whose?: string, image?: string, close?: string,
 *   current?: string, how?: string, boxes: Box[], choices?: {says: string, label: string}[],
 *   suggestions?: {says: string, label: string}[], rows?: import("./screen.js").Row[],
 *   replies?: import("./replies.js").LikeReplies[], readings?: number, typed?: boolean, keyed?: boolean}} Task */

/** @type {Task|null} */
let task = null;
let busy = false;
let current = "";
let turn = 0;
/** What was typed when Enter was pressed and a warning was shown: once more records it. @type {string|null} */
let warned = null;

/** Send what was decided, and show what is asked next. @param {Record<string, unknown>} message */
async function send(message) {
  if (busy) return;
  busy = true;
  const answer = await ask(message);
  busy = false;
  if (answer.errors) {
    part("note").textContent = paragraph(answer.errors[0].message, answer.errors[0].hint);
    return;
  }
  if (answer.unsure) {
    warned = part("said", HTMLInputElement).value.trim();
    part("note").textContent = answer.unsure;
    return;
  }
  part("note").textContent = "";
  show(answer.task, answer.left, answer.missing);
  part("progress", HTMLProgressElement).value = answer.total ? answer.done / answer.total : 1;
  part("progress-text").textContent = say("progress", { done: answer.done, total: answer.total });
}

/** Record decisions. @param {Record<string, string>} decisions @param {string[]} [apart] @param {boolean} [sure] */
const record = (decisions, apart = [], sure = false) => void send({ ask: "decide", decisions, apart, sure });

/** Show a question, or that there is none.
 * @param {Task|null} next @param {Record<string, number>} left @param {string[]} missing */
function show(next, left, missing) {
  task = next;
  warned = null;
  turn = 0;
  for (const sort of Object.keys(left)) {
    part(`left-${sort}`).querySelector("strong")?.replaceChildren(String(left[sort]));
    part(`left-${sort}`).classList.toggle("now", task?.sort === sort);
  }
  part("title").textContent = task ? task.title : say("done");
  part("why").textContent = task ? task.why : "";
  part("whose").textContent = task?.whose ?? (task ? "" : say("how_to_end"));
  part("choose").hidden = !task?.choices?.length;
  part("naming").hidden = !asksWho(task);
  for (const name of ["of-page", "aside"]) part(name).hidden = task?.sort !== "page";
  part("typing").hidden = task?.sort !== "written" || !!task.rows;
  part("screen").hidden = !task?.rows;
  part("replies").hidden = !task?.replies;
  part("look").hidden = !task?.image;
  part("later").hidden = !task;
  part("absent").hidden = !missing.length;
  part("missing").replaceChildren(...missing.map((each) => element("li", {}, each)));
  for (const choice of task?.choices ?? []) part(`${choice.says}-label`).textContent = choice.label;
  if (task?.replies) replies(task);
  else if (task?.rows) rows(task);
  else if (task) picture(task);
  document.body.dataset.task = task ? task.key : "";
  document.body.dataset.rows = String(task?.rows?.length ?? 0);
}

/** A screen of typed replies. @param {Task} asked */
function replies(asked) {
  current = "";
  const { replies: like = [], readings = 0, typed = false, keyed = false, how = "" } = asked;
  showReplies({ replies: like, readings, typed, keyed, how }, (message) => void send(message));
}

/** Whether a question is answered by naming a student: which page it is, or whose paper. @param {Task|null} asked */
const asksWho = (asked) => asked?.sort === "page" || asked?.sort === "paper";

/** A screen of alike pictures. @param {Task} asked */
function rows(asked) {
  current = "";
  part("screen-how").textContent = paragraph(asked.how ?? "", asked.rows?.some((row) => row.accepts) ? say("e_is_empty") : "");
  showRows(asked.rows ?? []);
}

/** The scan with its boxes, and what is to be filled in beside it. @param {Task} asked */
function picture(asked) {
  const sheet = part("sheet");
  part("seen", HTMLImageElement).src = asked.image || "data:,";
  part("close", HTMLImageElement).src = asked.close || "data:,";
  part("close").hidden = !asked.close;
  sheet.classList.toggle("whole", asked.sort === "sheet" || asksWho(asked));
  sheet.dataset.turn = "0";
  for (const old of sheet.querySelectorAll(".box")) old.remove();
  const typed = asked.sort === "written";
  for (const box of asked.boxes) {
    const [left, top, width, height] = box.place.map((share) => `${share * 100}%`);
    const name = say("state", { box: box.label, state: box.open ? say("to_decide") : box.state });
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
  if (asksWho(asked)) identify(asked);
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

/** Ask which page it is, or whose paper; the likeliest missing page is filled in. @param {Task} asked */
function identify(asked) {
  const suggestions = asked.suggestions ?? [];
  const [variant, number] = (suggestions[0]?.says ?? "/1").split("/");
  const student = part("student", HTMLInputElement);
  student.value = variant;
  part("number", HTMLSelectElement).value = number;
  known();
  part("suggested").hidden = !suggestions.length;
  part("suggestions").replaceChildren(
    ...suggestions.map((each) => element("button", { type: "button", onclick: () => assign(each.says) }, each.label)),
  );
  student.focus();
  student.select();
}

/** Record which page it is. @param {string} says */
const assign = (says) => task && void send({ ask: "name", page: task.key, says });

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
  part("who").textContent = who ? listed([who.name, who.identifier, who.code]) : "";
}

/** Decide the box that is looked at. @param {string} says */
function decide(says) {
  if (!task) return;
  const box = task.boxes.find((each) => each.name === current);
  if (box) record({ [box.key]: says });
  else if (says === "empty") record({ [task.key]: says });
  else {
    step(1);
    part("note").textContent = say("choose_box");
  }
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
part("aside").addEventListener("click", () => assign("aside"));
part("turn").addEventListener("click", () => {
  turn = (turn + 1) % 4;
  part("sheet").dataset.turn = String(turn);
});
part("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  const who = meant();
  const number = part("number", HTMLSelectElement).value;
  if (who?.identifier && task?.sort === "paper") void send({ ask: "assign", paper: task.key, says: who.identifier });
  else if (who && task?.sort === "page") assign(`${who.code}/${number}`);
  else part("note").textContent = say("nobody");
});
part("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  const said = part("said", HTMLInputElement).value.trim();
  if (!said && warned === null) {
    warned = "";
    part("note").textContent = say("blank_again");
  } else if (task) record({ [task.key]: said || "empty" }, [], warned === said);
});
part("screen").addEventListener("submit", (event) => {
  event.preventDefault();
  const made = decided();
  if (made) record(made.decisions, made.apart);
});
part("replies").addEventListener("submit", (event) => {
  event.preventDefault();
  chooseTyped();
});
part("key").addEventListener("click", toggleKey);
part("said").addEventListener("input", () => {
  warned = null;
  part("note").textContent = "";
});
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const writing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.repeat && /^([xek1-9]|escape|pagedown|enter)$/.test(key) && !(writing && key.length === 1)) event.preventDefault();
  else if (key === "escape") undo();
  else if (key === "pagedown") later();
  else if (task?.replies && !writing && replyKey(key)) event.preventDefault();
  else if (task?.replies && walkReplies(key)) event.preventDefault();
  else if (key === "enter" && task?.rows) part("screen", HTMLFormElement).requestSubmit();
  else if (task?.rows && key.startsWith("arrow") && walk(key)) event.preventDefault();
  else if (writing || part("choose").hidden) return;
  else if (key === "x") decide("crossed");
  else if (key === "e") decide("empty");
  else if (key === "arrowright") step(1);
  else if (key === "arrowleft") step(-1);
  else return;
  event.preventDefault();
});
void send({ ask: "next" });
