// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { readFolder, type FolderFile } from "./readFolder";

const file = (path: string, text = path): FolderFile => ({ path, file: new File([text], path.split("/").at(-1) ?? path) });
const metadata = (fileMetadata: object) => file("metadata.json", JSON.stringify({ version: 0, bundler: "metro", fileMetadata }));
const both = { ios: { bundle: "_expo\\ios.hbc", assets: [{ path: "assets/a" }, { path: "assets/a" }] }, android: { bundle: "_expo/android.hbc", assets: [] } };

test("an export has the files that metadata.json names for each platform, with source maps, and the runtime version", async () => {
  const found = await readFolder({
    name: "dist",
    files: [
      metadata(both),
      file("_expo/ios.hbc"),
      file("_expo/ios.hbc.map"),
      file("_expo/android.hbc"),
      file("assets/a"),
      file("index.html"),
      file("expoConfig.json", JSON.stringify({ runtimeVersion: "2.0.0" })),
    ],
  });
  expect(found.platforms.map(({ platform, files, hasSourceMap }) => [platform, files.map((each) => each.path), hasSourceMap])).toEqual([
    ["ios", ["_expo/ios.hbc", "assets/a", "_expo/ios.hbc.map"], true],
    ["android", ["_expo/android.hbc"], false],
  ]);
  expect(found.runtimeVersion).toBe("2.0.0");
});

test("a runtime version that is a policy must be typed", async () => {
  const files = [metadata({ ios: both.ios }), file("_expo/ios.hbc"), file("assets/a")];
  const found = await readFolder({ name: "dist", files: [...files, file("expoConfig.json", '{"runtimeVersion":{"policy":"fingerprint"}}')] });
  expect(found.runtimeVersion).toBe("");
  expect(found.platforms.map((each) => each.platform)).toEqual(["ios"]);
});

test.each([
  ["a zip", "", [file("dist.zip")], "“dist.zip” is a zip file. Unpack it"],
  ["loose files", "", [file("a.js"), file("b.js")], "These are files, not a folder"],
  ["nothing", "dist", [], "The folder is empty"],
  ["the app's folder", "my-app", [file("package.json"), file("dist/metadata.json")], "“my-app” is the folder of the app. Run `npx expo export`"],
  ["another folder", "photos", [file("a.png")], "“photos” has no metadata.json"],
  ["damaged metadata", "dist", [file("metadata.json", "{")], "metadata.json is damaged"],
  ["an export for the web", "dist", [metadata({})], "does not name a bundle for iOS or Android"],
  ["an incomplete export", "dist", [metadata(both), file("_expo/ios.hbc")], "names “assets/a”, but the folder does not have this file"],
])("%s is refused with what to do", async (_what, name, files, message) => {
  await expect(readFolder({ name, files })).rejects.toThrow(message);
});
