"use strict";
const links = [...document.querySelectorAll(".steps a")];
const parts = [...document.querySelectorAll("[data-steps]")].map((part) => ({
  part,
  spans: part.dataset.steps.split(" ").map((span) => span.split("-").map(Number)),
}));
const words = document.querySelector(".words");
const place = document.querySelector(".place");
const buttons = Object.fromEntries(
  [...document.querySelectorAll("[data-go]")].map((button) => [button.dataset.go, button]),
);
let current = 0;

function paint(step) {
  for (const { part, spans } of parts) {
    if (spans.some(([first, last]) => first <= step && step <= last)) part.removeAttribute("display");
    else part.setAttribute("display", "none");
  }
}

function show(step) {
  current = Math.min(Math.max(step, 1), links.length);
  paint(current);
  links.forEach((link, index) => {
    if (index + 1 === current) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  });
  words.textContent = links[current - 1].textContent;
  place.textContent = links[current - 1].dataset.place;
  buttons.first.disabled = buttons.back.disabled = current === 1;
  buttons.last.disabled = buttons.forward.disabled = current === links.length;
}

const moves = {
  first: () => 1,
  back: () => current - 1,
  forward: () => current + 1,
  last: () => links.length,
};
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last" };

for (const [name, button] of Object.entries(buttons)) {
  button.addEventListener("click", () => show(moves[name]()));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
  event.preventDefault();
  show(moves[keys[event.key]]());
});
const fromAddress = () => show(Number.parseInt(location.hash.slice(1), 10) || 1);
window.addEventListener("hashchange", fromAddress);
window.addEventListener("beforeprint", () => paint(links.length));
window.addEventListener("afterprint", () => paint(current));
document.querySelector(".controls").hidden = false;
fromAddress();
