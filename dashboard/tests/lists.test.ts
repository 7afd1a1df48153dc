import { Project } from "./support/project";
import { budgets } from "./support/budgets";
import type { Locator } from "@playwright/test";
import { expect, test as base, type Page } from "./support/test";

/** A project with 10,000 releases, devices and audit log entries, and 2,000 of the other records. e2e/harness_long_lists_test.go creates it. */
const test = base.extend({
  project: async ({ playwright }, use) => {
    const request = await playwright.request.newContext();
    await use(new Project(request, process.env.WAFT_LONG_PROJECT ?? "", "long"));
    await request.dispose();
  },
});

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });

async function expectFewRows(page: Page) {
  expect(await rows(page).count()).toBeLessThanOrEqual(budgets.rowsInDocument);
}

/** Types into a search field, and waits until only the matching row is shown. */
async function search(page: Page, field: string, text: string, row: string) {
  const found = rows(page).filter({ hasText: row });
  await expect(found).toHaveCount(0);
  await page.getByLabel(field).fill(text);
  await expect(found).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1);
}

/** Loads the rest of a list of 10,000, and expects few rows in the document at every scroll position. `total` is what the rows are counted of. */
async function loadAll(page: Page, total = "") {
  const more = page.getByRole("button", { name: "Load more" });
  const shown = page.getByRole("status").filter({ hasText: "rows" });
  for (let loaded = 400; loaded <= 10_000; loaded += 200) {
    await more.click();
    await expect(shown).toHaveText(`${loaded.toLocaleString("en")}${loaded < 10_000 ? total : ""} rows`);
  }
  await expect(more).toHaveCount(0);
  const list = page.getByRole("rowgroup").last();
  for (const part of [0, 0.5, 1]) {
    await list.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), part);
    await expect(rows(page).first()).toBeVisible();
    await expectFewRows(page);
  }
}

async function scrollToTop(page: Page) {
  await page.getByRole("rowgroup").last().evaluate((element) => element.scrollTo(0, 0));
}

test("10,000 releases: few rows are in the document wherever it is scrolled, and any is found", async ({ page, project, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/releases`);
  await loadAll(page, " of 10,000");
  await expect(rows(page).getByRole("link", { name: "Many n1", exact: true })).toBeVisible();
  await scrollToTop(page);

  // A change elsewhere does not reload fifty pages. The list shows that it is out of date, and reloads on request.
  let asked = 0;
  page.on("request", (request) => (asked += request.url().includes("/v1/ota/updates?") ? 1 : 0));
  const [newest] = await project.call<{ id: number; isCritical: boolean }[]>("GET", "/v1/ota/updates?limit=1");
  await project.call("PATCH", `/v1/ota/updates/${newest!.id}`, { isCritical: !newest!.isCritical });
  await expect(page.getByText("May have changed")).toBeVisible();
  expect(asked).toBe(0);
  await page.getByRole("button", { name: "Load again" }).click();
  await expect(page.getByText("May have changed")).toHaveCount(0);
  expect(asked).toBe(50);
  await expect(page.getByRole("status").filter({ hasText: "rows" })).toHaveText("10,000 rows");
  await search(page, "Search release notes, commit, branch", "n7312", "Many n7312");
});

test("10,000 changes: an entry of the audit log is found", async ({ page, project, signIn }) => {
  await signIn("admin");
  await page.goto(`/app/${project.slug}/audit`);
  await expect(rows(page).first()).toBeVisible();
  await expectFewRows(page);
  await search(page, "Person, key or component", "user-8421", "Person 8421");
});

test("10,000 devices: few rows are in the document wherever it is scrolled, and any is found", async ({ page, project, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/devices`);
  await loadAll(page, " of 10,000");
  await expect(rows(page).filter({ hasText: "device-10000" })).toBeVisible();
  await scrollToTop(page);
  await page.goto(`/app/${project.slug}/devices?sort=-deviceId`);
  await expect(rows(page).first()).toContainText("device-9999");
  await search(page, "Search device ID", "device-8421", "device-8421");
});

/** Sorts by a column, and expects the first row of the whole list, not of the loaded part. */
async function sort(page: Page, column: string, first: string) {
  await page.getByRole("button", { name: column, exact: true }).click();
  await expect(rows(page).first()).toContainText(first);
}

for (const { list, field, name, column, last } of [
  { list: "releases", field: "Search release notes, commit, branch", name: "n1700", column: "Release", last: "Many n9999" },
  { list: "flags", field: "Search key, name, description", name: "flag-1700", column: "Flag", last: "flag-999" },
  { list: "segments", field: "Filter by name, key", name: "segment-1700", column: "Segment", last: "Segment 999" },
]) {
  test(`2,000 ${list}: the table is searched, sorted and counted by the server`, async ({ page, project, signIn }) => {
    await signIn("viewer");
    await page.goto(`/app/${project.slug}/${list}`);
    await expect(page.getByRole("status").filter({ hasText: "rows" })).toHaveText(/^200 of 1?[02],000 rows$/);
    await sort(page, column, last);
    await page.getByLabel(field).fill(name);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(name.replace("segment-", "Segment "));
    await expect(page.getByRole("status").filter({ hasText: "row" })).toHaveText("1 row");
  });
}

/** Chooses a record by typing its name. */
async function choose(page: Page, field: Locator, name: string) {
  await field.fill(name);
  await page.getByRole("option", { name, exact: true }).click();
  await expect(field).toHaveValue(name);
}

test("2,000 channels and branches: any is found in tables and choosers", async ({ page, project, signIn }) => {
  await signIn("editor");
  await page.goto(`/app/${project.slug}/channels`);
  await page.getByLabel("Search branches").fill("branch-1700");
  await expect(page.getByRole("cell", { name: "branch-1700", exact: true })).toBeVisible();
  await page.getByLabel("Search channels").fill("channel-1700");
  await page.getByRole("button", { name: "Actions for channel-1700" }).click();
  await page.getByRole("menuitem", { name: "Point to another branch" }).click();
  const dialog = page.getByRole("dialog");
  await choose(page, dialog.getByLabel("Branch"), "branch-1800");
  await page.keyboard.press("Escape");

  await page.goto(`/app/${project.slug}/releases`);
  await choose(page, page.getByLabel("Channel"), "channel-1700");
  await expect(page).toHaveURL(/channel=channel-1700/);
  await expect(page.getByText("No row")).toBeVisible();
});

test("2,000 flags: the release that sets a flag is found behind 9,999 newer ones", async ({ page, project, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/flags?search=flag-1234`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).getByRole("link", { name: "Many n9999" })).toBeVisible();
  await rows(page).getByRole("link", { name: "flag-1234" }).click();
  const linking = page.getByRole("region", { name: "Linked releases" });
  await expect(linking.getByRole("listitem")).toHaveText([/Many n9999/]);
});

test("2,000 channels: the channel of a branch and the release of a filter are named", async ({ page, project, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/channels`);
  await page.getByLabel("Search branches").fill("branch-1700");
  await expect(rows(page).filter({ hasText: "branch-1700" }).getByText("channel-1700")).toBeVisible();
  const [oldest] = await project.call<{ updateUuid: string }[]>("GET", "/v1/ota/updates?search=n9999&limit=1");
  await page.goto(`/app/${project.slug}/devices?updateUuid=${oldest!.updateUuid}`);
  await expect(page.getByLabel("Release", { exact: true })).toHaveValue(/Many n9999/);
});
