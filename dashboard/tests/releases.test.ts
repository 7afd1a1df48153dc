import { axe, fits } from "./support/axe";
import { Devices } from "./support/devices";
import { settled } from "./support/look";
import { url, type Project } from "./support/project";
import { expect, test, type Page } from "./support/test";

interface Release {
  id: number;
  updateUuid: string;
}
interface Figures {
  devices: number;
  reportedDevices: number;
}

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });
const figures = /\/v1\/ota\/insights\/releases\?/;

/** Publishes to iOS and Android in one group, lets six iOS devices report on the release before and on this one; one crashes, and two have an error. */
async function publishTwice(project: Project) {
  const devices = await Devices.make(project, 6);
  const first = (await project.publish("Steady", "console.log('steady')")) as unknown as Release & { groupId: string };
  await devices.report(first.updateUuid, "app_launch", 5);
  const ios = (await project.publish("Faster checkout", "console.log('faster')")) as unknown as Release & { groupId: string };
  const [crashed, ...others] = await devices.report(ios.updateUuid, "app_launch", 5);
  const build = await project.upload("Faster checkout", "console.log('faster')", "android");
  const android = await project.call<Release>("POST", "/v1/ota/updates", { buildId: build.id, channel: "production", groupId: ios.groupId, releaseMessage: "Faster checkout" });
  const tell = async (deviceId: string | undefined, ...events: Record<string, unknown>[]) => {
    const report = await project.request.post(`${url}/v1/ota/health-metrics`, {
      data: { projectSlug: project.slug, deviceId, platform: "ios", runtimeVersion: "1.0.0", channel: "production", updateUuid: ios.updateUuid, events },
    });
    expect(report.status(), await report.text()).toBe(204);
  };
  const coupon = { type: "js_error", count: 1, errorName: "Error", message: "the coupon is unknown" };
  await tell(crashed, { type: "crash", count: 1, errorName: "TypeError", message: "price of the cart is missing" }, coupon);
  await tell(others[0], coupon);
  // The metrics are at most a second old, and the report arrives a moment later.
  await expect
    .poll(async () => {
      const [of] = await project.call<(Figures & { errorRate: number | null })[]>("GET", `/v1/ota/insights/releases?updateIds=${ios.id}`);
      return of && { ...of, failed: (of.errorRate ?? 0) > 33 };
    })
    .toMatchObject({ devices: 6, reportedDevices: 6, failed: true });
  return { first, ios, android };
}

test("a publish is one group with a line per platform, and each release shows its devices and its health", async ({ page, project, signIn }) => {
  const { first, ios, android } = await publishTwice(project);
  await signIn("viewer");
  const asked: string[] = [];
  page.on("request", (request) => void (figures.test(request.url()) && asked.push(request.url())));
  await page.goto(`/app/${project.slug}/releases`);
  await settled(page);

  // The title of the publish is shown once, above a line per platform.
  const list = page.getByRole("table", { name: "Releases" });
  await expect(list.getByText("Faster checkout", { exact: true })).toHaveCount(1);
  const line = (id: number) => rows(page).filter({ has: page.locator(`a[href$="/releases/${id}"]`) });
  await expect(rows(page)).toHaveText([/Android/, /Faster checkout|iOS/, /Steady/]);
  await expect(line(ios.id)).toContainText("100% of 6");
  await expect(line(ios.id)).toContainText("83.33%");
  await expect(line(ios.id)).toContainText("of 6");
  const badge = line(ios.id).getByText("Past its limit");
  await expect(badge).toHaveAttribute("title", "83.33% crash-free, below the limit of 98%; error rate 33.33%, above the limit of 2%; of 6 devices that reported in 24 hours");
  await expect(line(first.id)).toContainText("0% of 6");
  await expect(line(first.id)).toContainText("100%");
  await expect(line(first.id).getByText("Past its limit")).toHaveCount(0);
  await expect(line(android.id)).not.toContainText("% of");
  expect(new Set(asked).size, "one request for the page of releases").toBe(1);
  await axe(page);

  // The order and the search are by release. Releases of a publish that are next to each other stay a group.
  await page.getByRole("button", { name: "Size" }).click();
  await expect(page).toHaveURL(/sort=-sizeBytes/);
  await expect(rows(page)).toHaveCount(3);
  await page.getByLabel("Search release notes, commit, branch").fill("Faster");
  await expect(rows(page)).toHaveCount(2);

  // The release page and the overview show the same devices at the same moment.
  await page.goto(`/app/${project.slug}/releases/${ios.id}`);
  const now = page.getByRole("region", { name: "Now" });
  await expect(now).toContainText("100% of 6 devices that reported in 24 hours");
  await expect(now).toContainText("83.33%");
  await page.getByRole("tab", { name: "Errors of this release" }).click();
  const errors = page.getByRole("region", { name: "Errors of this release" }).getByRole("listitem");
  await expect(errors).toHaveText([/the coupon is unknown.*2 devices/, /price of the cart is missing.*1 device/]);
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("group", { name: /^iOS/ })).toContainText("83.33%");
});

test("the list of releases loads without telemetry", async ({ page, project, signIn }) => {
  await project.publish("Steady");
  await signIn("viewer");
  await page.route(figures, (route) =>
    route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"status":503,"code":"unavailable","detail":"ClickHouse is unavailable","part":"clickhouse"}' }),
  );
  await page.goto(`/app/${project.slug}/releases`);
  await settled(page);
  const row = rows(page).filter({ hasText: "Steady" });
  await expect(row.getByRole("cell").filter({ hasText: /^—$/ })).toHaveCount(2);
  await page.unroute(figures);
  await expect(row).toContainText("No reports yet");
  await expect(row.getByRole("cell").filter({ hasText: /^—$/ })).toHaveCount(0);
});

test("two releases are compared side by side at an address that can be shared", async ({ page, project, signIn, context }) => {
  const { first, ios } = await publishTwice(project);
  await signIn("viewer");
  await page.goto(`/app/${project.slug}/releases/${ios.id}`);
  await settled(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).fill("compare the release");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Compare releases" })).toBeVisible();
  await expect(page.getByText("Choose two releases")).toBeVisible();
  await expect(page.getByLabel("Release", { exact: true })).toHaveValue("Faster checkout · 1.0.0");
  await page.getByLabel("Compare with").fill("Stea");
  await page.getByRole("option", { name: /^Steady/ }).click();
  await expect(page).toHaveURL(new RegExp(`/releases/compare\\?release=${ios.id}&with=${first.id}$`));

  // A colleague opens the same address.
  const shared = await context.newPage();
  await shared.goto(page.url());
  await settled(shared);
  const table = shared.getByRole("table", { name: "Side by side" });
  const cells = (fact: string) => table.getByRole("row").filter({ has: shared.getByRole("rowheader", { name: fact }) }).getByRole("cell");
  await expect(cells("Release").first()).toContainText("Faster checkout");
  await expect(cells("Release").first()).toContainText("Past its limit");
  await expect(cells("Devices on the release")).toHaveText([/^6100% of 6 devices that reported in 24 hours$/, /^00% of 6 devices/]);
  await expect(cells("Crash-free devices")).toHaveText([/^83\.33%of 6 devices that reported in 24 hours; below the limit of 98%$/, /^100%of 6 devices .*; limit 98%$/]);
  await expect(cells("Error rate")).toHaveText([/^33\.33%.*above the limit of 2%$/, /^0%/]);
  await expect(cells("Linked flags")).toHaveText(["None", "None"]);
  const newErrors = shared.getByRole("region", { name: "Only on Faster checkout · 1.0.0" }).getByRole("listitem");
  await expect(newErrors).toHaveText([/the coupon is unknown/, /price of the cart is missing/]);
  await expect(shared.getByRole("region", { name: "Only on Steady · 1.0.0" })).toContainText("no device has reported an error");
  await shared.getByRole("tab", { name: "Files" }).click();
  await expect(shared.getByRole("region", { name: "Only on Steady · 1.0.0" })).toContainText("Launch asset");
  await expect(shared.getByRole("region", { name: "Only on Steady · 1.0.0" })).toContainText("The other release has none of these files.");
  for (const width of [360, 1280]) {
    await shared.setViewportSize({ width, height: 800 });
    await axe(shared);
    await fits(shared);
  }
});
