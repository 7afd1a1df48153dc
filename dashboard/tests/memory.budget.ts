import { budgets } from "./support/budgets";
import { makeRecords } from "./support/records";
import { expect, test } from "./support/test";

const minute = 60_000;

test("the heap does not grow while the overview is open for half an hour", async ({ page, project, signIn }) => {
  test.slow();
  await makeRecords(project);
  await signIn();
  await page.clock.install();
  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "The first" }).first()).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  let polls = 0;
  page.on("response", (response) => {
    if (response.url().endsWith("/v1/ota/overview")) polls++;
  });

  /** Half an hour of polling is 120 cycles of 15 s. The clock is put forward by one, and its answers are waited for. */
  const cycle = async (number: number) => {
    const before = polls;
    // Somebody changes something every minute, which the stream tells.
    if (number % 4 === 0) await project.call("PATCH", "/v1/ota/channels/production", { isPaused: number % 8 === 0 });
    await page.clock.fastForward(minute / 4);
    await expect.poll(() => polls, { intervals: [5, 10, 20] }).toBeGreaterThan(before);
  };
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };

  let number = 0;
  // What is compiled and cached with the first answers.
  while (number < 20) await cycle(number++);
  const start = await heap();
  while (number < 140) await cycle(number++);
  const growth = (await heap()) / start;
  expect(polls).toBeGreaterThanOrEqual(140);
  expect(growth).toBeLessThanOrEqual(budgets.heapGrowth);
});
