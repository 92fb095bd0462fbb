// Check a program: it runs in a worker of its own, which is ended when it takes too long.

import { opened } from "./marker.js";
import { element, paragraph, part, say } from "./words.js";

const SECONDS = 5;

export class ProgramCheck {
  constructor() {
    this.text = part("program", HTMLTextAreaElement);
    /** @type {Promise<Worker>|undefined} */
    this.working = undefined;
    part("run").addEventListener("click", () => void this.run());
    part("program-file").addEventListener("change", async (event) => {
      const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
      if (file) this.text.value = await file.text();
    });
  }

  /** Start a worker that runs programs. @returns {Promise<Worker>} */
  async start() {
    const { worker, from } = await opened(true);
    return await new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data }) => (data.ready ? resolve(worker) : reject(new Error(data.failed)));
      worker.postMessage(from);
    });
  }

  /** What the grader says of a program; null if it did not end in time. @param {string} text @returns {Promise<any>} */
  async answer(text) {
    this.working ??= this.start();
    const worker = await this.working.catch((error) => {
      this.working = undefined;
      throw error;
    });
    part("program-verdict").textContent = say("program_runs");
    return await new Promise((resolve, reject) => {
      const end = () => {
        worker.terminate();
        this.working = undefined;
      };
      const clock = setTimeout(() => {
        end();
        resolve(null);
      }, SECONDS * 1000);
      worker.onmessage = ({ data }) => {
        clearTimeout(clock);
        end(); // what one program has changed in its Python, no other one sees
        this.working = this.start();
        this.working.catch(() => (this.working = undefined));
        if (data.failed === undefined) resolve(JSON.parse(data.answer));
        else reject(new Error(data.failed));
      };
      worker.postMessage({ number: 1, text });
    });
  }

  /** Run what is in the box, and show the verdict with both searches. */
  async run() {
    const [verdict, details] = [part("program-verdict"), part("program-details")];
    const chosen = (/** @type {string} */ id) => part(id, HTMLSelectElement).value;
    const text = JSON.stringify({ source: this.text.value, interface: chosen("interface"), ties: chosen("program-ties") });
    part("run", HTMLButtonElement).disabled = true;
    verdict.textContent = say("program_starts");
    details.replaceChildren();
    try {
      const answer = await this.answer(text);
      verdict.textContent = answer ? answer.sentence : say("program_late", { seconds: SECONDS });
      details.replaceChildren(...(answer ? shown(answer) : []));
      verdict.dataset.verdict = answer ? JSON.stringify(answer.program) : "";
    } catch (error) {
      console.warn(error);
      verdict.textContent = paragraph(say("grader_failed"), say("try_again"));
    }
    part("run", HTMLButtonElement).disabled = false;
  }
}

/** The pictures and the sentences of a verdict. @param {any} answer */
function shown({ pictures, difference, notes }) {
  const figures = pictures.map((/** @type {{svg: string, caption: string}} */ { svg, caption }) => {
    const bytes = new TextEncoder().encode(svg);
    const address = `data:image/svg+xml;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
    return element("figure", {}, element("img", { src: address, alt: caption }), element("figcaption", {}, caption));
  });
  const paragraphs = [...difference, ...notes].map((/** @type {string} */ sentence) => element("p", {}, sentence));
  return [element("div", { class: "searches" }, ...figures), ...paragraphs];
}
