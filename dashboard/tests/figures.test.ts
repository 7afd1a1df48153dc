import type { Locator, Page } from "@playwright/test";
import { Devices, rollOut, type Execution } from "./support/devices";
import { settled } from "./support/look";
import { expect, test } from "./support/test";

/** The e-value at which a threshold counts as breached. */
const decidesAt = 20;
const fleet = 40;

const percent = (value: number, digits: number) => `${new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(value)}%`;

/** Returns the number under a label. */
const figure = (place: Locator, label: string) => place.getByText(label, { exact: true }).locator("xpath=following-sibling::*[1]");

/** Returns the number of devices of the last day in the adoption chart's table, by the label of the release. */
async function adoptionOf(page: Page): Promise<Map<string, string>> {
  const chart = page.getByRole("region", { name: "Devices by release" });
  const table = chart.getByRole("button", { name: "Table" });
  if (await table.isVisible()) await table.click();
  const labels = await chart.getByRole("columnheader").allTextContents();
  const cells = await chart.getByRole("row").nth(1).getByRole("cell").allTextContents();
  return new Map(labels.slice(1).map((label, index) => [label, cells[index] ?? ""]));
}

interface Row {
  devices: number;
  distribution: { updateId: number; devices: number }[];
  served: { updateId: number; devices: number }[];
  broken: { health: { devices: number; crashRate: number } }[];
}

test("after a rollback, every page shows the same figures, and devices count for the copy once they have it", async ({ context, project, signIn }) => {
  test.setTimeout(240_000);
  const devices = await Devices.make(project, fleet);
  const stable = await project.publish("Stable");
  await devices.report(stable.updateUuid, "app_launch", fleet - 1);
  const broken = await rollOut(project, "Broken", [{ percentage: 50, minDevices: 1, minDurationMinutes: 600 }]);
  // At most 6 of 40 devices are in the first 50% less than once in 100,000 runs. The second report is of all devices inside.
  await devices.report(broken.updateUuid, "app_launch", 6);
  const inside = await devices.report(broken.updateUuid, "app_launch", 6);
  const n = inside.length;
  const rollout = () => project.call<Execution>("GET", `/v1/ota/rollout-executions/${broken.rollout}`);
  await expect.poll(async () => (await rollout()).health?.devices).toBe(n);
  // The devices crash one after another, until the evidence decides. So the last observation of the rollout has all crashes.
  let crashed = 0;
  for (const device of inside) {
    await devices.send(device, broken.updateUuid, "crash");
    crashed++;
    await expect.poll(async () => (await rollout()).health?.crashedDevices).toBe(crashed);
    const { status, health } = await rollout();
    if (status !== "running" || (health?.evidence ?? 0) >= decidesAt) break;
  }
  await expect.poll(async () => (await rollout()).status).toBe("rolled_back");
  expect((await rollout()).health).toMatchObject({ devices: n, crashedDevices: crashed });
  const [copy] = await project.call<{ id: number; updateUuid: string; republishedFromId: number }[]>("GET", "/v1/ota/updates?limit=1");
  expect(copy?.republishedFromId).toBe(stable.id);
  const row = async () => (await project.call<Row[]>("GET", "/v1/ota/overview"))[0]!;
  const on = (of: Row, id: number) => of.distribution.find(({ updateId }) => updateId === id)?.devices ?? 0;
  await expect.poll(async () => [on(await row(), broken.id), (await row()).broken[0]?.health.devices]).toEqual([n, n]);

  await signIn("viewer");
  const open = async (address: string) => {
    const page = await context.newPage();
    await page.goto(`/app/${project.slug}/${address}`);
    await settled(page);
    return page;
  };
  const [overview, release, replaced, rolling, releases, ofBroken, ofCopy] = await Promise.all(
    ["overview", `releases/${broken.id}`, `releases/${copy!.id}`, `rollouts/${broken.rollout}`, "releases", `devices?updateUuid=${broken.updateUuid}`, `devices?updateUuid=${copy!.updateUuid}`].map(open),
  );
  const crashFree = percent((100 * (n - crashed)) / n, 2);
  const shareOf = (part: number) => percent((100 * part) / fleet, 1);
  const card = overview!.getByRole("region", { name: "Broken release Broken · 1.0.0" });
  const target = overview!.getByRole("group", { name: "iOS Runtime 1.0.0" });
  const cellOf = (id: number, column: number) => releases!.getByRole("row").filter({ has: releases!.locator(`a[href$="/releases/${id}"]`) }).getByRole("cell").nth(column);
  const onRelease = (page: Page) => figure(page.getByRole("region", { name: "Now" }), "Devices on this release");
  const now = (page: Page) => page.getByRole("region", { name: "Now" });

  /** Compares the figures on every page: `left` devices still run the broken release, and `moved` run the copy. */
  const agree = async (left: number, moved: number) => {
    // The devices on each release.
    await expect(card).toContainText(`${left} of ${fleet} devices run it.`);
    await expect(figure(target, "Devices")).toHaveText(String(fleet));
    await expect(target).toContainText(`of ${fleet} devices`);
    await expect(onRelease(release!)).toHaveText(String(left));
    await expect(now(release!)).toContainText(`${shareOf(left)} of ${fleet} devices that reported in 24 hours`);
    await expect(onRelease(replaced!)).toHaveText(String(moved));
    await expect(now(replaced!)).toContainText(`${shareOf(moved)} of ${fleet} devices that reported in 24 hours`);
    for (const [id, on] of [[broken.id, left], [copy!.id, moved], [stable.id, fleet - n]] as const) await expect(cellOf(id, 4)).toHaveText(`${on}${shareOf(on)} of ${fleet}`);
    await expect(ofBroken!.getByText(`${left} rows`, { exact: true })).toBeVisible();
    await expect(ofCopy!.getByText(`${moved} rows`, { exact: true })).toBeVisible();
    const shown = await target.getByRole("img").getAttribute("aria-label");
    for (const [name, part] of [["Broken · 1.0.0", left], [/Stable · 1\.0\.0[^,]*/, moved], [/Stable · 1\.0\.0[^,]*/, fleet - n]] as const) {
      const pattern = new RegExp(`${typeof name === "string" ? name : name.source} ${shareOf(part).replace(".", "\\.")}(,|$)`);
      if (part > 0) expect(shown).toMatch(pattern);
    }
    expect([...(await adoptionOf(releases!)).values()].sort()).toEqual([left, moved, fleet - n].filter(Boolean).map(String).sort());
    // The crashes. The rate of the release is of all devices that reported on it, even if they have another release now.
    await expect(card).toContainText(`Crash-free ${crashFree} of ${n} devices in 24 hours, below the limit of 98%`);
    await expect(figure(now(release!), "Crash-free devices")).toHaveText(crashFree);
    await expect(now(release!)).toContainText(`of ${n} devices that reported in 24 hours; below the limit of 98%`);
    await expect(cellOf(broken.id, 5)).toHaveText(`${crashFree}of ${n}`);
    const health = rolling!.getByRole("region", { name: "Health" });
    await expect(figure(health, "Crash rate")).toHaveText(percent((100 * crashed) / n, 2));
    await expect(health).toContainText(`${crashed} of ${n}, threshold 2%`);
    // The release that stays, and its copy.
    await expect(figure(target, `Crash-free devices Stable #${stable.id}`)).toHaveText("100%");
    await expect(target).toContainText(`of ${fleet} devices that reported in 24 hours`);
    const rate = moved > 0 ? "100%" : "No reports yet";
    await expect(figure(target, `Crash-free devices Stable #${copy!.id}`)).toHaveText(rate);
    await expect(figure(now(replaced!), "Crash-free devices")).toHaveText(rate);
    await expect(cellOf(copy!.id, 5)).toHaveText(moved > 0 ? `100%of ${moved}` : rate);
    if (moved > 0) for (const place of [target, now(replaced!)]) await expect(place).toContainText(`of ${moved} devices that reported in 24 hours`);
  };
  await expect(card).toContainText("Rolled back by Waft");
  await expect(card.getByRole("button", { name: "Roll back" })).toHaveCount(0);
  await agree(n, 0);

  await devices.report(copy!.updateUuid, "app_launch", n - 1);
  await expect.poll(async () => [on(await row(), broken.id), on(await row(), copy!.id)]).toEqual([0, n]);
  await Promise.all(
    [overview, release, replaced, rolling, releases, ofBroken, ofCopy].map(async (page) => {
      await page!.reload();
      await settled(page!);
    }),
  );
  await agree(0, n);
});
