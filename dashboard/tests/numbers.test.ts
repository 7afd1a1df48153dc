import type { Locator } from "@playwright/test";
import { settled, visit } from "./support/look";
import { expect, test } from "./support/seeded";

const whole = new Intl.NumberFormat("en");
const percent = (value: number | null, digits = 2) => (value === null ? "—" : `${new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(value)}%`);
const evidence = (value: number) => (value > 1000 ? "over 1,000" : new Intl.NumberFormat("en", { maximumSignificantDigits: 3, roundingMode: "floor" }).format(value));
const platforms: Record<string, string> = { ios: "iOS", android: "Android" };

/** Returns the number under a label. */
const figure = (place: Locator, label: string) => place.getByText(label, { exact: true }).locator("xpath=following-sibling::*[1]");

interface Named {
  updateId: number;
  releaseMessage: string;
}
interface Stream {
  channel: string;
  platform: string;
  runtimeVersion: string;
  devices: number;
  crashFreePercentage: number | null;
  served: { updateId: number | null; release: Named | null; devices: number; crashFreePercentage: number | null; errorRate: number | null }[];
  distribution: { updateId: number | null; percentage: number; release: Named | null }[];
}
interface Execution {
  percentage: number;
  health: { devices: number; launches: number; crashRate: number; crashedDevices: number; errorRate: number; erroredDevices: number; evidence: number; ignoredDevices: number };
}
interface Group {
  fingerprint: string;
  devices: number;
  events: number;
}
interface Device {
  crashes: number;
  errors: number;
  events: unknown[];
}

/**
 * Compares the page with the API's response until they agree, for one minute at most. Reports of the seed may still be arriving, and
 * the page polls only every 15 s.
 */
const agree = (compare: () => Promise<void>) => expect(compare).toPass({ timeout: 60_000 });
const now = expect.configure({ timeout: 2_000 });

test("the overview, a rollout, the errors and a device show the numbers of the API", async ({ page, project, seeded, signIn }) => {
  await signIn("viewer");
  await page.goto(`/app/${seeded.slug}/overview`);
  await settled(page);
  await agree(async () => {
    const streams = await project.call<Stream[]>("GET", "/v1/ota/overview");
    expect(streams.length).toBeGreaterThan(2);
    // The release that crashed was rolled back, so it is not served. The embedded update is, and crashed too.
    expect(streams.some((stream) => stream.served.some(({ crashFreePercentage }) => crashFreePercentage !== null && crashFreePercentage < 100))).toBe(true);
    for (const stream of streams) {
      const row = page.getByRole("region", { name: stream.channel, exact: true }).getByRole("group", { name: `${platforms[stream.platform]} Runtime ${stream.runtimeVersion}` });
      await now(figure(row, "Devices")).toHaveText(whole.format(stream.devices));
      const titles = stream.served.map(({ release }) => release?.releaseMessage ?? "Embedded");
      for (const [index, served] of stream.served.entries()) {
        const title = titles[index]!;
        const isUnique = titles.filter((each) => each === title).length === 1;
        const name = titles.length === 1 ? "" : isUnique ? ` ${title}` : ` ${title} #${served.updateId}`;
        await now(figure(row, `Crash-free devices${name}`)).toHaveText(served.devices === 0 ? "No reports yet" : percent(served.crashFreePercentage));
        await now(figure(row, `Error rate${name}`)).toHaveText(served.devices === 0 ? "No reports yet" : percent(served.errorRate));
        if (served.devices > 0) await now(row).toContainText(`of ${whole.format(served.devices)} device`);
      }
      for (const part of stream.distribution.filter((each) => each.updateId !== null)) {
        await now(row.getByRole("img")).toHaveAccessibleName(new RegExp(`${part.release!.releaseMessage} · [^,]*[^,\\d.]${percent(part.percentage, 1).replace(/^0%$/, "<0.1%")}`));
      }
    }
  });

  for (const id of [seeded.running, seeded.rolledBack]) {
    await visit(page, `/app/${seeded.slug}/rollouts/${id}`);
    await agree(async () => {
      const { health, percentage } = await project.call<Execution>("GET", `/v1/ota/rollout-executions/${id}`);
      const place = page.getByRole("region", { name: "Health" });
      await now(figure(place, "Crash rate")).toHaveText(percent(health.crashRate));
      await now(place).toContainText(`${whole.format(health.crashedDevices)} of ${whole.format(health.devices)}, threshold`);
      await now(figure(place, "Error rate")).toHaveText(percent(health.errorRate));
      await now(place).toContainText(`${whole.format(health.erroredDevices)} of ${whole.format(health.devices)}, threshold`);
      await now(figure(place, "Devices counted")).toHaveText(whole.format(health.devices));
      await now(place).toContainText(`${whole.format(health.launches)} launches`);
      await now(figure(place, "Devices not counted")).toHaveText(whole.format(health.ignoredDevices));
      await now(figure(place, "Evidence")).toHaveText(evidence(health.evidence));
      await now(page.getByRole("region", { name: "Stages" })).toContainText(percent(percentage));
    });
  }

  await visit(page, `/app/${seeded.slug}/observe`);
  await agree(async () => {
    const groups = await project.call<Group[]>("GET", "/v1/ota/observe/groups");
    expect(groups.length).toBeGreaterThan(1);
    for (const group of groups) {
      const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${group.fingerprint}"]`) });
      await now(row.getByRole("cell").nth(4)).toHaveText(String(group.devices));
      await now(row.getByRole("cell").nth(5)).toHaveText(String(group.events));
    }
  });

  await visit(page, `/app/${seeded.slug}/devices/${seeded.device}`);
  await agree(async () => {
    const device = await project.call<Device>("GET", `/v1/ota/devices/${seeded.device}`);
    expect(device.errors).toBeGreaterThan(0);
    const last = page.getByRole("region", { name: "Last report" });
    await now(figure(last, "Crashes")).toHaveText(whole.format(device.crashes));
    await now(figure(last, "Errors")).toHaveText(whole.format(device.errors));
    await now(page.getByRole("region", { name: "Last events" }).getByRole("listitem")).toHaveCount(device.events.length);
  });
});
