// A screen of typed replies that wait: a person chooses one reading for all, takes some out, or types what one means.

import { element, isolated, part, phrased, say } from "./words.js";

/** @typedef {{reply: string, source: string, points?: string}} Reading */
/** @typedef {{key: string, part: string, who: string, written: string, readings: Reading[], right?: string[]}} LikeReplies */
/** @typedef {{replies: LikeReplies[], readings: number, typed: boolean, keyed: boolean, how: string}} ReplyTask */

/** What was chosen is handed to this. @type {(message: Record<string, unknown>) => void} */
let sendChoice = () => {};
/** @type {ReplyTask|null} */
let shownReplies = null;
/** The keys of the replies that are asked about separately. @type {Set<string>} */
let takenOut = new Set();
/** Whether Enter was pressed in the empty field: once more says that there is no answer. */
let emptyWarned = false;

/** Show replies. @param {ReplyTask} asked @param {(message: Record<string, unknown>) => void} send */
export function showReplies(asked, send) {
  sendChoice = send;
  shownReplies = asked;
  takenOut = new Set();
  emptyWarned = false;
  const numbers = Array.from({ length: asked.readings }, (_, place) => place + 1);
  part("readings").replaceChildren(
    ...numbers.map((number) => choiceButton(String(number), say("reading", { number }), `#${number}`, "primary")),
    choiceButton("e", say("no_answer"), "#0", ""),
    ...(asked.typed ? [] : [element("button", { type: "button", onclick: split }, element("kbd", {}, "s"), ` ${say("one_by_one")}`)]),
  );
  part("readings").setAttribute("aria-label", say("whole_group"));
  part("key-label").textContent = say(asked.keyed ? "hide_key" : "show_key");
  part("replies-how").textContent = asked.how;
  part("meaning").hidden = !asked.typed;
  part("meant", HTMLInputElement).value = "";
  const headings = ["", say("in_writing"), ...numbers.map((number) => say("reading", { number }))];
  part("reply-head").replaceChildren(element("tr", {}, ...headings.map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text))));
  part("reply-rows").replaceChildren(...asked.replies.map(replyRow));
  if (asked.typed && !asked.readings) part("meant").focus();
  else part("title").focus({ preventScroll: true });
}

/** A button that decides about all replies. @param {string} key @param {string} label @param {string} choice @param {string} kind */
function choiceButton(key, label, choice, kind) {
  return element("button", { type: "button", class: kind, "data-choice": choice, onclick: () => choose(choice) }, element("kbd", {}, key), ` ${label}`);
}

/** The row of some like replies. @param {LikeReplies} like */
function replyRow(like) {
  const written = element("bdi", { class: "reply" }, like.written);
  const alone = shownReplies?.typed;
  const button = alone ? written : element("button", { type: "button", class: "written", "aria-pressed": "false", "data-key": like.key }, written);
  if (!alone) button.addEventListener("click", () => takeOut(button, like.key));
  const right = like.right?.length ? [element("p", { class: "quiet" }, say("right_answer", { answer: like.right.join(" / ") }))] : [];
  const cells = like.readings.map((each, place) => element("td", { "data-label": say("reading", { number: place + 1 }) }, element("bdi", { class: "reply" }, each.reply), ...remarks(each)));
  const head = element("th", { scope: "row" }, ...(like.part ? phrased("labelled", { label: like.part, text: isolated(like.who) }) : [isolated(like.who)]));
  return element("tr", {}, head, element("td", {}, button, ...right), ...cells);
}

/** What is said of a reading below it: where it was handed in, and what it earns. @param {Reading} each */
function remarks(each) {
  return [each.source, each.points ?? ""].filter(Boolean).map((text) => element("p", { class: "quiet" }, isolated(text)));
}

/** Take replies out of the group, or back into it. @param {HTMLElement} button @param {string} key */
function takeOut(button, key) {
  if (!takenOut.delete(key)) takenOut.add(key);
  const out = takenOut.has(key);
  button.setAttribute("aria-pressed", String(out));
  button.closest("tr")?.classList.toggle("apart", out);
}

/** Decide about all replies that are still in the group. @param {string} choice */
function choose(choice) {
  const keys = shownReplies?.replies.map((each) => each.key) ?? [];
  const rows = keys.filter((key) => !takenOut.has(key));
  if (rows.length) sendChoice({ ask: "read", rows, choice, apart: [...takenOut] });
}

/** Ask about each of these replies alone. */
function split() {
  if (shownReplies && !shownReplies.typed) sendChoice({ ask: "split", rows: shownReplies.replies.map((each) => each.key) });
}

/** Decide by what was typed; nothing at all has to be confirmed. */
export function chooseTyped() {
  const typed = part("meant", HTMLInputElement).value.trim();
  if (typed) choose(typed);
  else if (emptyWarned) choose("#0");
  else {
    emptyWarned = true;
    part("note").textContent = say("no_answer_again");
  }
}

/** Show points and correct answers, or hide them again. */
export const toggleKey = () => sendChoice({ ask: "key", shown: !shownReplies?.keyed });

/** Whether a key chose something. @param {string} key */
export function replyKey(key) {
  if (key === "k") toggleKey();
  else if (key === "e") choose("#0");
  else if (/^[1-9]$/.test(key) && Number(key) <= (shownReplies?.readings ?? 0)) choose(`#${key}`);
  else if (key === "s" && !shownReplies?.typed) split();
  else if (key === "t" && shownReplies?.typed) part("meant").focus();
  else return false;
  return true;
}

/** Go from one reply to the next. @param {string} key */
export function walkReplies(key) {
  const buttons = [...part("reply-rows").querySelectorAll("button")];
  if (!buttons.length || !["arrowup", "arrowdown"].includes(key)) return false;
  const place = buttons.findIndex((each) => each === document.activeElement);
  const next = key === "arrowdown" ? place + 1 : place < 0 ? buttons.length - 1 : place - 1;
  buttons[Math.max(0, Math.min(buttons.length - 1, next))].focus();
  return true;
}
