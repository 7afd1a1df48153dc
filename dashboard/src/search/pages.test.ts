import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parameters } from "./pages";
import type { Parameter } from "./parameters";

const root = join(import.meta.dirname, "../pages");

/** Returns the fields by which the tables of a page's folder can be sorted on the server. */
function fieldsIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".tsx") && !name.endsWith(".test.tsx"))
    .flatMap((name) => [...readFileSync(join(root, folder, name), "utf8").matchAll(/id: "\w+",\s+field: "([\w.]+)"/g)])
    .map(([, field]) => field!);
}

it("declares every order that a table of the page offers", () => {
  let fields = 0;
  for (const folder of readdirSync(root)) {
    const declared = Object.values((parameters as unknown as Record<string, Record<string, Parameter>>)[folder] ?? {}).filter(({ initial }) => initial === "");
    for (const field of fieldsIn(folder)) {
      fields++;
      const orders = declared.filter(({ accepts }) => !accepts("nonsense") && accepts(field) && accepts(`-${field}`));
      expect(orders, `${field} of ${folder}`).not.toEqual([]);
    }
  }
  expect(fields).toBeGreaterThan(50);
});
