import type { Plugin } from "vite";

// Each stands in Redoc's bundle once. A later version that has something else in its place does not build.
const replaced = [
  // The logo of Redoc in the menu, which is the only file from another host. An image without an address is not loaded.
  ['"https://cdn.redoc.ly/redoc/logo-mini.svg"', '""'],
  // Adds a style element for scroll bars that the page does not use. Its Content-Security-Policy permits only empty style elements.
  ["t.appendChild(document.createTextNode(e))", "0"],
  // The colour of patterns, which is hard to read on dark ground.
  ["#0e7c86", "light-dark(#0e7c86, #3fcfb2)"],
] as const;

/** Makes a module of Redoc's bundle, which does not load anything from other hosts. */
export function redoc(): Plugin {
  return {
    name: "redoc",
    transform(code, id) {
      if (!id.endsWith("/redoc.standalone.js")) return;
      let local = code;
      for (const [text, replacement] of replaced) {
        if (code.split(text).length !== 2) this.error(`${id} must contain ${text} once: find out what this version of Redoc has instead`);
        local = local.replace(text, replacement);
      }
      // The bundle requires a package "null" in environments without its own dependencies, which are inside of it.
      return { code: `const module = { exports: {} }, exports = module.exports, require = () => null;\n${local}\nexport const { init } = module.exports;`, map: null };
    },
  };
}
