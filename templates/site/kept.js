// What somebody is working on: it survives a reload and a restarted server, and is kept in this browser only.

import { ownPlace } from "./words.js";

const PLACE = `gametree.work.${ownPlace()}`;

/** Keep the work of one part of the page; each tab has its own, and a new tab goes on with the latest.
 * @param {string} name @param {unknown} work */
export function keepWork(name, work) {
  try {
    sessionStorage.setItem(PLACE + name, JSON.stringify(work));
    localStorage.setItem(PLACE + name, JSON.stringify(work));
  } catch {
    // a full or locked store: everything works, and is not remembered
  }
}

/** The work of one part of the page, or null. @param {string} name @returns {any} */
export function keptWork(name) {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE + name) ?? localStorage.getItem(PLACE + name) ?? "null");
  } catch {
    return null;
  }
}
