// What was answered so far: kept in this browser only, one entry for each reply, so that two tabs lose nothing.

import { ownPlace } from "./words.js";

const STEM = `gametree.reply.${ownPlace()}`;

/** Every reply so far, the latest last. @returns {Entry[]} */
export function entries() {
  /** @type {Entry[]} */
  const found = [];
  try {
    for (let place = 0; place < localStorage.length; place++) {
      const key = localStorage.key(place) ?? "";
      if (!key.startsWith(STEM)) continue;
      const entry = parsed(localStorage.getItem(key) ?? "");
      if (isEntry(entry)) found.push(entry);
    }
  } catch {
    return found; // a browser that keeps nothing
  }
  return found.sort((one, other) => one.time - other.time);
}

/** JSON, or nothing where a text is none. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {any} entry @returns {entry is Entry} */
function isEntry(entry) {
  const texts = ["exercise", "kind", "level", "reply", "points", "max"];
  if (!entry || typeof entry.time !== "number" || !texts.every((name) => typeof entry[name] === "string")) return false;
  const [points, max] = [share(entry.points), share(entry.max)];
  if (!(Number.isFinite(max) && max > 0 && points >= 0 && points <= max)) return false;
  return Array.isArray(entry.notes) && entry.notes.every((/** @type {unknown} */ note) => typeof note === "string");
}

/** Keep one reply. @param {Entry} entry */
export function keep(entry) {
  try {
    const key = `${STEM}${entry.time}.${entry.exercise}.${Math.random().toString(36).slice(2, 8)}`;
    localStorage.setItem(key, JSON.stringify(entry));
  } catch {
    // a full or locked store: practising goes on, and is not remembered
  }
}

/** Forget everything. */
export function forget() {
  const keys = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place) ?? "");
  keys.filter((key) => key.startsWith(STEM)).forEach((key) => localStorage.removeItem(key));
}

/** Take over the replies of a file; how many there were. @param {string} text */
export function restore(text) {
  const known = new Set(entries().map((entry) => JSON.stringify(entry)));
  const wanted = JSON.parse(text).replies.filter(isEntry).filter((/** @type {Entry} */ entry) => !known.has(JSON.stringify(entry)));
  wanted.forEach(keep);
  return wanted.length;
}

/** How well a kind goes: its latest questions, each by the last try that counts, and what came of them.
 * @param {string} kind @param {Entry[]} [all] */
export function mastered(kind, all = entries()) {
  const own = all.filter((entry) => entry.kind === kind);
  // A second try takes the place of the first one.
  const latest = own.filter((entry, place) => !(own[place + 1]?.exercise === entry.exercise && (own[place + 1].try ?? 1) > 1)).slice(-LATEST_QUESTIONS);
  const shares = latest.map((entry) => share(entry.points) / share(entry.max));
  const average = latest.length ? shares.reduce((sum, each) => sum + each, 0) / latest.length : 0;
  return { count: latest.length, share: average, shares, is_mastered: latest.length >= MIN_QUESTIONS && average >= 0.8 };
}

const LATEST_QUESTIONS = 8; // those that count
const MIN_QUESTIONS = 4; // after which a kind can be mastered

/** The mistakes that were made once, and by none of the latest replies of their kind. @param {Entry[]} all */
export function overcome(all) {
  const kinds = [...new Set(all.map((entry) => entry.kind))];
  return kinds.flatMap((kind) => {
    const own = all.filter((entry) => entry.kind === kind);
    const latest = own.slice(-3);
    const made = new Set(own.slice(0, -3).flatMap((entry) => entry.notes));
    return latest.length < 3 ? [] : [...made].filter((note) => !latest.some((entry) => entry.notes.includes(note)));
  }).length;
}

/** The sentence about the points of a mark. @param {string} points @param {string} max */
export function verdictName(points, max) {
  if (points === max) return "right";
  return share(points) > 0 ? "partly" : "incorrect";
}

/** A number that may be a fraction. @param {string} text */
export function share(text) {
  const [top, under = "1"] = text.split("/");
  return Number(top) / Number(under);
}
