// Compares the gzipped size of everything that a page loads with its budget. A page loads its entry with all
// imports, their styles, and the chunk of its route.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** Returns every file that loads with the chunk. */
function files(name, found = new Set()) {
  const chunk = manifest[name];
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const style of chunk.css ?? []) found.add(style);
  for (const imported of chunk.imports ?? []) files(imported, found);
  return found;
}

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return sizes.get(file);
}
const sum = (set) => [...set].reduce((total, file) => total + size(file), 0);

const app = files("index.html");
const overview = new Set([...app, ...files("src/pages/overview/index.tsx")]);
const pages = Object.keys(manifest).filter((name) => name.startsWith("src/pages/") && !name.startsWith("src/pages/overview/"));

/** Returns the files that the chunk adds to the overview. For a part that a page loads later, also leaves out the page's files. */
function added(name) {
  const page = name.replace(/[^/]+$/, "index.tsx");
  const there = new Set([...overview, ...(name === page ? [] : files(page))]);
  return [...files(name)].filter((file) => !there.has(file));
}

const checks = [
  ["login", sum(files("sign-in.html")), 90],
  ["overview", sum(overview), 180],
  ["reference of the API", sum(files("reference.html")), 360],
  ...pages.map((name) => [name.replace("src/pages/", ""), sum(added(name)), 60]),
];
let failed = false;
for (const [name, bytes, budget] of checks) {
  const isOver = bytes > budget * 1024;
  failed ||= isOver;
  if (isOver || budget > 60) console.log(`${isOver ? "over" : "ok  "}  ${name}: ${(bytes / 1024).toFixed(1)} of ${budget} KiB`);
}
process.exit(failed ? 1 : 0);
