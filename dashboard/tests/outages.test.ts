import type { Locator } from "@playwright/test";
import { axe } from "./support/axe";
import { Devices, rollOut, type Execution } from "./support/devices";
import type { Project } from "./support/project";
import { expect, test, type Page } from "./support/test";

// The tests run one after the other, because each stops a part of the server that they share.
test.describe.configure({ mode: "default" });

type Part = "postgres" | "clickhouse" | "temporal" | "server";

const away: Part[] = [];

async function take(part: Part) {
  away.push(part);
  await order(`${part}/away`);
}

/** Starts all parts again that were stopped. */
async function giveBack() {
  for (const part of away.splice(0)) await order(`${part}/back`);
  if (hangs) await order("clickhouse/go");
  hangs = false;
}

let hangs = false;

/** Lets ClickHouse accept connections without responding, as a process that is stopped does. */
async function hang() {
  await order("clickhouse/hang");
  hangs = true;
}

async function order(path: string) {
  const answer = await fetch(`${process.env.WAFT_OUTAGES}/${path}`, { method: "POST" });
  expect(answer.ok, path).toBe(true);
}

// A failed test must not leave a part stopped for the next test.
test.afterEach(giveBack);

/** Opens two tabs of a project with a running rollout: the overview and the rollout. */
async function open(page: Page, project: Project, signIn: (role: "editor") => Promise<string>) {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "In stages", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  await signIn("editor");
  const rollouts = await page.context().newPage();
  await page.goto(`/app/${project.slug}/overview`);
  await rollouts.goto(`/app/${project.slug}/rollouts/${rollout}`);
  await expect(page.getByRole("link", { name: "Stable" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Rolling out: 10%" })).toBeVisible();
  await expect(rollouts.getByRole("heading", { level: 1, name: "Rollout of In stages · 1.0.0" })).toBeVisible();
  for (const each of [page, rollouts]) {
    await expect(each.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await each.evaluate(() => void Object.assign(window, { isTheSame: true }));
  }
  const status = async () => (await project.call<Execution>("GET", `/v1/ota/rollout-executions/${rollout}`)).status;
  return { rollouts, status };
}

const alerts = (page: Page) => page.locator('[role="alert"]:not([role="dialog"] *)');

/** Returns the banner above every page during an outage. */
const banner = (page: Page) => page.locator("#root > [role=alert]");

/** Expects the overview to keep its last data and to show the data's age. */
async function expectKept(page: Page) {
  const production = page.getByRole("region", { name: "production" });
  await expect(production.getByRole("link", { name: "Stable" })).toBeVisible();
  await expect(production.getByRole("link", { name: "Rolling out: 10%" })).toBeVisible();
  await expect(production.locator("[data-old]")).toHaveText(/\d+ (sec|min)\. ago/);
}

/** Returns a metric of the first row of a region. */
function figure(region: Locator, name: string | RegExp): Locator {
  return region.getByText(name, { exact: true }).first().locator("+ div");
}

/** Waits until alerts and loading states are gone from the pages, and expects that the pages were not reloaded. */
async function expectRecovered(...pages: Page[]) {
  for (const each of pages) {
    for (const gone of [alerts(each), each.locator('[role="status"][aria-label="Loading"]')]) {
      await expect(gone).toHaveCount(0);
    }
    expect(await each.evaluate(() => "isTheSame" in window), "it was reloaded").toBe(true);
  }
}

/** Reports whether the page has loaded the code of dialogs with all of its imports. */
function hasDialogs(): boolean {
  const loaded = performance.getEntriesByType("resource").map((each) => each.name);
  const wanted = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map((each) => each.href);
  return loaded.some((name) => name.includes("DialogPopup")) && wanted.every((name) => loaded.includes(name));
}

/** Asks to pause the rollout, and returns the dialog. */
async function askToPause(rollouts: Page) {
  await rollouts.getByRole("button", { name: "Pause" }).click();
  const dialog = rollouts.getByRole("dialog", { name: "Pause" });
  await dialog.getByRole("button", { name: "Pause" }).click();
  return dialog;
}

/** Sends the dialog's command until it is applied. The worker may reconnect to Temporal some seconds later than the API. */
async function sendUntilCarriedOut(dialog: Locator) {
  await expect(async () => {
    if ((await dialog.count()) > 0) await dialog.getByRole("button", { name: "Pause" }).click({ timeout: 30_000 });
    await expect(dialog).toHaveCount(0, { timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
}

async function expectNotCarriedOut(dialog: ReturnType<Page["getByRole"]>) {
  await expect(dialog.getByText("Not applied.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Pause" })).toBeEnabled();
}

test("without Postgres the last data stays, commands are not applied, and the pages recover on their own", { tag: "@short" }, async ({ page, project, signIn }) => {
  const { rollouts, status } = await open(page, project, signIn);
  await take("postgres");
  for (const each of [page, rollouts]) {
    await expect(banner(each)).toContainText(/Postgres is unavailable.*Devices still get the releases they were getting/);
  }
  await expectKept(page);
  await expect(page.getByRole("region", { name: "production" }).getByText("Not up to date")).toBeVisible();
  const dialog = await askToPause(rollouts);
  await expectNotCarriedOut(dialog);

  // A page without data shows the error with the request ID.
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "This could not be loaded" })).toContainText(/Request [0-9a-f-]{36}/);
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();

  // A tab that is opened now is not blank either.
  const late = await page.context().newPage();
  await late.goto(`/app/${project.slug}/releases`);
  await expect(late.getByRole("heading", { level: 1, name: "Your projects could not be loaded" })).toBeVisible();
  await axe(late);
  await late.evaluate(() => void Object.assign(window, { isTheSame: true }));

  await giveBack();
  await expectRecovered(page, rollouts, late);
  await expect(late.getByRole("heading", { level: 1, name: "Releases" })).toBeVisible();
  expect(await status()).toBe("running");
  await sendUntilCarriedOut(dialog);
  await expect(rollouts.getByText("Paused", { exact: true }).first()).toBeVisible();
});

test("without ClickHouse metrics are not updated, and rollouts accept commands", async ({ page, project, signIn }) => {
  const { rollouts, status } = await open(page, project, signIn);
  await take("clickhouse");
  for (const each of [page, rollouts]) {
    await expect(banner(each)).toContainText("ClickHouse is unavailable. Reports from devices are kept");
  }
  await expectKept(page);
  await expect(page.getByRole("region", { name: "production" }).getByText("Not up to date")).toBeVisible();
  await expect(page.getByRole("region", { name: "Last changes" }).getByRole("alert")).toHaveCount(0);
  await expect(await askToPause(rollouts)).toHaveCount(0);
  await expect(rollouts.getByText("Paused", { exact: true }).first()).toBeVisible();
  expect(await status()).toBe("paused");

  // A tab that is opened now shows the served releases without metrics, and can roll back.
  const late = await page.context().newPage();
  await late.goto(`/app/${project.slug}/overview`);
  await expect(banner(late)).toContainText("ClickHouse is unavailable. Reports from devices are kept");
  const production = late.getByRole("region", { name: "production" });
  await expect(production.getByRole("link", { name: "Stable" })).toBeVisible();
  await expect(production.getByRole("link", { name: "Paused at 10%" })).toBeVisible();
  for (const name of ["Devices", /^Crash-free/, /^Error rate/]) await expect(figure(production, name)).toHaveText("—");
  await axe(late);
  await late.evaluate(() => void Object.assign(window, { isTheSame: true }));
  await production.getByRole("button", { name: "Roll back production · iOS" }).click();
  await late.getByRole("dialog").getByRole("button", { name: "Roll back", exact: true }).click();
  await expect(late.getByRole("dialog")).toHaveCount(0);
  await expect.poll(status).toBe("rolled_back");

  await giveBack();
  await expectRecovered(page, rollouts, late);
  await expect(figure(production, "Devices")).toHaveText("0");
});

test("while ClickHouse hangs, a page that is opened now says so, and its requests do not say that they are too many", async ({ page, project, signIn }) => {
  const { rollouts } = await open(page, project, signIn);
  await hang();
  const late = await page.context().newPage();
  const refused: string[] = [];
  late.on("response", (response) => void (response.status() === 429 && refused.push(response.url())));
  for (const address of ["releases", "overview", "devices"]) {
    await late.goto(`/app/${project.slug}/${address}`);
    await expect(banner(late)).toContainText("ClickHouse is unavailable. Reports from devices are kept");
  }
  await expect(late.getByText("This could not be loaded").locator("..")).toContainText("ClickHouse is unavailable");
  // This page does not read telemetry.
  await late.goto(`/app/${project.slug}/settings/members`);
  await expect(banner(late)).toContainText(/unavailable/);
  expect(refused).toEqual([]);
  await late.evaluate(() => void Object.assign(window, { isTheSame: true }));

  await giveBack();
  await expectRecovered(page, rollouts, late);
});

test("without Temporal commands to rollouts are not applied, and other changes are", async ({ page, project, signIn }) => {
  const { rollouts, status } = await open(page, project, signIn);
  await take("temporal");
  await expect(banner(rollouts)).toContainText("Devices still get the releases they were getting");
  await expect(rollouts.getByRole("region", { name: "Stages" })).toContainText("now");
  const dialog = await askToPause(rollouts);
  await expectNotCarriedOut(dialog);
  await expect(banner(rollouts)).toContainText("Rollouts do not advance, and commands to them fail with “Not applied”");

  const production = page.getByRole("region", { name: "production" });
  await production.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Type production to confirm").fill("production");
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(production.getByText("Paused", { exact: true })).toBeVisible();

  await giveBack();
  await expectRecovered(page, rollouts);
  expect(await status()).toBe("running");
  await sendUntilCarriedOut(dialog);
  expect(await status()).toBe("paused");
});

test("while the server's process is killed the last data stays, and the pages recover on their own", { tag: "@short" }, async ({ page, project, signIn }) => {
  const { rollouts, status } = await open(page, project, signIn);
  await expect.poll(() => rollouts.evaluate(hasDialogs), "the code of dialogs is preloaded").toBe(true);
  await take("server");
  for (const each of [page, rollouts]) await expect(banner(each)).toContainText("Waft is not responding");
  await expectKept(page);
  const dialog = await askToPause(rollouts);
  // For the browser, a lost response looks the same as a lost request.
  await expect(dialog.getByText("This may have gone through.")).toBeVisible();

  // The code of the next page is not loaded yet, so the current page stays until it is.
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await expect(page).toHaveURL(/\/observe$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await giveBack();
  await expect(page.getByRole("heading", { level: 1, name: "Errors" })).toBeVisible();
  await expectRecovered(page, rollouts);
  expect(await status()).toBe("running");
  await sendUntilCarriedOut(dialog);
  expect(await status()).toBe("paused");

  // The event stream is connected again.
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await project.publish("After the outage", undefined, "production", "android");
  await expect(page.getByRole("region", { name: "production" }).getByRole("link", { name: "After the outage" })).toBeVisible();
});
