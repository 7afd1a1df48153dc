import { budgets } from "./support/budgets";
import { makeRecords } from "./support/records";
import { expect, test, type Page } from "./support/test";

/** When the largest part of the page was drawn, in milliseconds since it was asked for. */
async function largestPaint(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Infinity)).observe({
          type: "largest-contentful-paint",
          buffered: true,
        });
      }),
  );
}

/** Loads the page five times, each with an empty cache, and answers the median. */
async function median(page: Page, address: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const times: number[] = [];
  for (let load = 0; load < 5; load++) {
    await session.send("Network.clearBrowserCache");
    times.push(await largestPaint(page, address));
  }
  await session.detach();
  return times.sort((a, b) => a - b)[2]!;
}

/** A slow phone: a processor four times slower, 1.6 Mbit/s down, 0.75 up, 150 ms to the server and back. */
async function asSlowPhone(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (0.75 * 1024 * 1024) / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

test("the login is drawn in time, near and on a slow phone", async ({ page }) => {
  test.slow();
  expect.soft(await median(page, "/app/login")).toBeLessThanOrEqual(budgets.loopbackPaint);
  await asSlowPhone(page);
  expect.soft(await median(page, "/app/login")).toBeLessThanOrEqual(budgets.slowPaint);
});

test("the overview is drawn in time, near and on a slow phone", async ({ page, project, signIn }) => {
  test.slow();
  await makeRecords(project);
  await signIn();
  const address = `/app/${project.slug}/overview`;
  expect.soft(await median(page, address)).toBeLessThanOrEqual(budgets.loopbackPaint);
  await asSlowPhone(page);
  expect.soft(await median(page, address)).toBeLessThanOrEqual(budgets.slowPaint);
});
