import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Phrases that people who did not know Waft could not understand, in strings of the dashboard or sentences of the server. */
const unclear = [
  /\bget something else\b/, /not there →/, /\bends as rolled_back/, /\bend as %s/, /"Take over"/, /\bmine on top\b/, /\bwas faster\b/, /"Whoever\b/,
  /\bis a version from\b/, /\bcontext has missing\b/, /\bmust be heard\b/, /\bHow soon it notices\b/, /\bToo few hold\b/,
  /\bif the share were\b/, /\bis not below threshold\b/, /\bbucket %d\b/, /\bLooked after by\b/, /\bwhat you do not know\b/, /\bpart of Waft is away\b/,
  /\buntil its time is over\b/, /"(Min|Max|Vs)\. /, /\bThere (is|are) no\b/, /\bthere is no .{1,20} in this project\b/, /\bhas it off\b/,
  /\bproject has no (such )?(asset|channel|flag)\b/,
];

/** A phrase that comments may use. */
const unclearInStrings = /\bthere (is|are) no\b/i;

const withoutComments = (text: string) => text.replace(/(^|\s)\/\/.*$/gm, "").replace(/\/\*\*[\s\S]*?\*\//g, "");

function texts(folder: string, isText: (name: string) => boolean): [string, string][] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(isText)
    .map((name) => [join(folder, name), readFileSync(join(root, folder, name), "utf8")]);
}

it("does not use phrases that strangers do not understand", () => {
  const isGo = (name: string) => name.endsWith(".go") && !name.endsWith("_test.go");
  const all = [
    ...texts("dashboard/src", (name) => /strings\.ts$/i.test(name)),
    ...["internal", "api", "models", "workflows", "activities", "cmd"].flatMap((folder) => texts(folder, isGo)),
  ];
  expect(all.length).toBeGreaterThan(200);
  const found = all.flatMap(([name, text]) => [
    ...unclear.filter((phrase) => phrase.test(text)),
    ...(unclearInStrings.test(withoutComments(text)) ? [unclearInStrings] : []),
  ].map((phrase) => `${name}: ${phrase.source}`));
  expect(found).toEqual([]);
});
