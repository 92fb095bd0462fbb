// The rules of the page's script: those that find mistakes, and one way to write what can be written in several.

const NAMES = [
  "document", "window", "self", "location", "history", "navigator", "localStorage", "sessionStorage", "caches", "fetch", "console", "confirm", "crypto",
  "matchMedia", "innerWidth", "getComputedStyle", "scrollTo", "clearInterval", "Event", "HTMLDetailsElement",
  "addEventListener", "setTimeout", "clearTimeout", "performance", "atob", "btoa", "TextEncoder", "HTMLFormElement", "URL", "URLSearchParams", "Blob", "Worker", "Request", "Response", "Image",
  "DecompressionStream", "ResizeObserver", "Element", "HTMLElement", "HTMLInputElement", "HTMLSelectElement",
  "HTMLTextAreaElement", "ClipboardItem", "HTMLImageElement", "HTMLButtonElement", "CSS", "HTMLProgressElement", "HTMLScriptElement", "SVGElement", "FILES", "VERSION",
];

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: Object.fromEntries(NAMES.map((name) => [name, "readonly"])) },
    rules: {
      "no-undef": "error", "no-unused-vars": "error", "no-shadow": "error", "no-redeclare": "error", "no-unreachable": "error",
      "no-self-compare": "error", "no-fallthrough": "error", "no-eval": "error", "no-implied-eval": "error", "no-new-func": "error",
      "no-script-url": "error", "no-var": "error", "prefer-const": "error", eqeqeq: "error", "require-await": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]", message: "Text stays text." },
        { selector: "CallExpression[callee.property.name='insertAdjacentHTML']", message: "Text stays text." },
      ],
    },
  },
];
