// What was answered so far: kept in this browser only, one entry for each reply, so that two tabs lose nothing.

import { setup } from "./words.js";

// Several pages of one address keep apart; the address of this machine's own page is another every time.
const STEM = `gametree.reply.${setup.way === "server" ? "" : `${location.pathname.replace(/index\.html$/, "")} `}`;

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

/** The share of the points of the latest replies of a kind, and how many there were. @param {string} kind */
export function mastered(kind) {
  const latest = entries().filter((entry) => entry.kind === kind).slice(-8);
  const shares = latest.map((entry) => share(entry.points) / share(entry.max));
  return { count: latest.length, share: latest.length ? shares.reduce((sum, each) => sum + each, 0) / latest.length : 0 };
}

/** A number that may be a fraction, for a bar. @param {string} text */
function share(text) {
  const [top, under = "1"] = text.split("/");
  return Number(top) / Number(under);
}
