import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = import.meta.dirname;
const files = new Set(readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file)));

/** Returns the files of src that the file imports, including those it imports for types only or loads later. */
function importsOf(file: string): string[] {
  const imports = readFileSync(join(root, file), "utf8").matchAll(/(?:\bfrom |\bimport\(?\s*)"(@|\.\.?)(\/[^"]+)"/g);
  return [...imports].flatMap(([, start = "", rest = ""]) => {
    const path = start === "@" ? rest.slice(1) : join(dirname(file), start, rest);
    return ["", ".ts", ".tsx", "/index.tsx"].map((end) => path + end).filter((each) => files.has(each));
  });
}

it("has no circle of imports", () => {
  const left = new Map([...files].map((file) => [file, importsOf(file)]));
  expect(left.get("routes.tsx")).toEqual(expect.arrayContaining(["app/Root.tsx", "pages/flags/index.tsx"]));
  // Repeatedly removes files that import no remaining file, and files that no remaining file imports. Only circles remain.
  for (let before = 0; before !== left.size; ) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [file, imports] of left) if (!imported.has(file) || !imports.some((each) => left.has(each))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});
