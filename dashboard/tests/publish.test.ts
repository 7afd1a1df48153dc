import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Project } from "./support/project";
import { expect, test } from "./support/test";

/** An export of the example app by Expo, for iOS and Android, with source maps. */
const stable = join(process.cwd(), "../build/exports/stable");

const folder = (page: Page) => page.getByLabel("Folder of the export");
const upload = (page: Page) => page.getByRole("button", { name: "Upload and show the effect" });

interface Build {
  platform: string;
  runtimeVersion: string;
  message: string;
  assetCount: number;
  sourceMapBytes: number;
}

const buildsOf = (project: Project) => project.call<Build[]>("GET", "/v1/ota/builds");

async function openPage(page: Page, project: Project) {
  await page.goto(`/app/${project.slug}/releases`);
  await page.getByRole("button", { name: "Publish an export" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Publish an export" })).toBeVisible();
}

async function chooseChannel(page: Page, name: string) {
  await page.getByLabel("Channel", { exact: true }).fill(name);
  await page.getByRole("option", { name }).click();
}

test("a real export is uploaded for both platforms and published by a policy, and a second upload sends nothing", { tag: "@short" }, async ({ page, project, signIn }) => {
  await project.call("POST", "/v1/ota/rollout-policies", { name: "careful", stages: [{ percentage: 10, minDurationMinutes: 600 }, { percentage: 100 }] });
  await signIn("editor");
  await openPage(page, project);
  await expect(upload(page)).toHaveAttribute("title", "Choose the folder of the export.");
  await folder(page).setInputFiles(stable);
  await expect(page.getByText(/^iOS: \d+ files, .* MiB, with a source map$/)).toBeVisible();
  await expect(page.getByText(/^Android: \d+ files/)).toBeVisible();
  await expect(page.getByLabel("Runtime version"), "from expoConfig.json").toHaveValue("1.0.0");
  await page.getByLabel("Release notes").fill("Published from the browser");
  await chooseChannel(page, "production");
  await page.getByLabel("Rollout policy").fill("careful");
  await page.getByRole("option", { name: "careful" }).click();
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "PUT" ? 1 : 0));
  await upload(page).click();
  await expect(page.getByRole("region", { name: "Effect on iOS" })).toContainText("careful");
  await expect(page.getByRole("region", { name: "Effect on iOS" }).getByRole("heading", { name: "iOS" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Effect on Android" })).toContainText("careful");
  expect(sent).toBeGreaterThan(5);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(/\/rollouts$/);
  await expect(page.getByRole("row", { name: /Published from the browser/ })).toHaveCount(2);

  const releases = await project.call<{ platform: string; groupId: string; releaseMessage: string }[]>("GET", "/v1/ota/updates");
  expect(releases.map((each) => each.platform).sort()).toEqual(["android", "ios"]);
  expect(new Set(releases.map((each) => each.groupId)).size, "both platforms form one group").toBe(1);
  for (const build of await buildsOf(project)) {
    expect(build).toMatchObject({ runtimeVersion: "1.0.0", message: "Published from the browser" });
    expect(build.sourceMapBytes).toBeGreaterThan(0);
  }

  sent = 0;
  await openPage(page, project);
  await folder(page).setInputFiles(stable);
  await page.getByLabel("Android").uncheck();
  await upload(page).click();
  await expect(page.getByText("Choose a channel.").first()).toBeAttached();
  await chooseChannel(page, "staging");
  await expect(page.getByRole("region", { name: "Effect on iOS" })).toContainText("100%");
  expect(sent, "the server already has every file").toBe(0);
  await page.getByLabel("Type staging to confirm").fill("staging");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(/\/releases\/\d+$/);
});

test("a folder is dragged into the page, and an upload that stopped continues with what is missing", async ({ page, project, signIn, context }) => {
  await signIn("editor");
  await openPage(page, project);
  const box = (await page.getByTestId("drop").boundingBox())!;
  const browser = await context.newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await browser.send("Input.dispatchDragEvent", {
      type,
      x: box.x + box.width / 2,
      y: box.y + 20,
      data: { items: [], files: [stable], dragOperationsMask: 1 },
    });
  }
  await expect(page.getByText("Folder stable")).toBeVisible();

  // The first three files arrive, and then the network is gone.
  const arrived: string[] = [];
  await page.route("**/v1/ota/builds/files/*", async (route) => {
    if (arrived.length >= 3) return route.abort();
    arrived.push(route.request().url());
    return route.continue();
  });
  await upload(page).click();
  // The banner of an outage may be shown, too.
  await expect(page.getByRole("alert").filter({ hasText: "The server keeps the files that arrived for a day" })).toBeVisible();
  expect(await buildsOf(project), "nothing is created by half an upload").toEqual([]);

  await page.unroute("**/v1/ota/builds/files/*");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.url());
  });
  await page.getByRole("button", { name: "Continue the upload" }).click();
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeVisible();
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((each) => arrived.includes(each)), "files that arrived are not sent again").toEqual([]);
  expect((await buildsOf(project)).map((each) => each.platform).sort()).toEqual(["android", "ios"]);
});

test("what is not an export is refused with what to do", async ({ page, project, signIn }) => {
  const dir = await mkdtemp(join(tmpdir(), "waft-publish-"));
  await signIn("editor");
  await openPage(page, project);
  const alert = page.getByRole("alert");
  await expect(page.getByRole("main")).toContainText("Uploads the folder that npx expo export writes");
  await expect(page.getByRole("main"), "commands are shown as code").not.toContainText("`");

  const incomplete = join(dir, "dist");
  await cp(stable, incomplete, { recursive: true });
  await rm(join(incomplete, "_expo/static/js/ios"), { recursive: true });
  await folder(page).setInputFiles(incomplete);
  await expect(alert).toContainText(/metadata\.json names “.*”, but the folder does not have this file\. Run npx expo export again\./);

  await rm(join(incomplete, "metadata.json"));
  await folder(page).setInputFiles(incomplete);
  await expect(alert).toContainText("“dist” has no metadata.json. Choose the folder that npx expo export writes");

  await writeFile(join(dir, "package.json"), "{}");
  await folder(page).setInputFiles(dir);
  await expect(alert).toContainText("is the folder of the app. Run npx expo export in it");

  await page.getByTestId("drop").evaluate((box) => {
    const data = new DataTransfer();
    data.items.add(new File(["PK"], "dist.zip"));
    box.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(alert).toContainText("“dist.zip” is a zip file. Unpack it, and choose the folder in it.");

  await folder(page).setInputFiles(stable);
  await expect(alert).toHaveCount(0);
  await page.route("**/v1/ota/builds/check", (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/problem+json",
      body: JSON.stringify({
        status: 400,
        code: "invalid",
        detail: "files[0].sizeBytes exceeds the maximum",
        errors: [{ field: "files[0].sizeBytes", message: "exceeds the maximum file size of 1000 bytes" }],
      }),
    }),
  );
  await upload(page).click();
  await expect(alert).toContainText(/“_expo.*” is too large \(.*MiB\): the file exceeds the maximum file size of 1000 bytes\. Make it smaller/);
  await rm(dir, { recursive: true });
});

test("commit, branch, author and linked flags are given in the form, and stored with the build and the release", async ({ page, project, signIn }) => {
  const flag = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "checkout", flagType: "boolean", defaultValue: false });
  const colour = await project.call<{ id: number }>("POST", "/v1/ota/flags", {
    key: "colour",
    flagType: "string",
    defaultValue: "red",
    variations: [{ name: "Red", value: "red" }, { name: "Blue", value: "blue" }],
  });
  await signIn("editor");
  await openPage(page, project);
  await folder(page).setInputFiles(stable);
  await page.getByLabel("Android").uncheck();
  const commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  await page.getByLabel("Commit", { exact: true }).fill(commit);
  await page.getByLabel("Git branch", { exact: true }).fill("trunk");
  await page.getByLabel("Author of the commit").fill("Ada Lovelace");
  for (const key of ["checkout", "colour"]) {
    await page.getByLabel("Add a flag").fill(key);
    await page.getByRole("option", { name: key }).click();
  }
  await page.getByLabel("Value of colour").selectOption("Blue = blue");
  await chooseChannel(page, "production");
  await upload(page).click();
  await expect(page.getByRole("region", { name: "Effect on iOS" })).toContainText("checkout on the new release: not linked → true");
  await expect(page.getByRole("region", { name: "Effect on iOS" })).toContainText("colour on the new release: not linked → blue");
  await page.getByLabel("Type production to confirm").fill("production");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(/\/releases\/\d+$/);
  const [release] = await project.call<Record<string, unknown>[]>("GET", "/v1/ota/updates");
  expect(release).toMatchObject({
    gitCommitHash: commit,
    gitBranch: "trunk",
    gitAuthor: "Ada Lovelace",
    linkedFlags: [{ flagId: flag.id, enabled: true }, { flagId: colour.id, enabled: true, value: "blue" }],
  });
});
