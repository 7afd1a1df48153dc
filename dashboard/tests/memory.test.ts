import { budgets } from "./support/budgets";
import { makeRecords } from "./support/records";
import type { Project } from "./support/project";
import { expect, test, type Page } from "./support/test";

const minute = 60_000;
// How often a page polls before each series of heap measurements: 22 times, or for half an hour with WAFT_TEST_SCALE=5.
const cycles = 22 * Number(process.env.WAFT_TEST_SCALE ?? 1);

/** A page that stays open for a long time. The test moves its clock forward. */
class Watched {
  polls = 0;

  private constructor(
    private readonly page: Page,
    private readonly session: Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>,
  ) {}

  /** Opens a page that polls `polled` every 15 s, and waits until `shown` resolves. */
  static async open(page: Page, address: string, polled: RegExp, shown: (page: Page) => Promise<void>): Promise<Watched> {
    await page.clock.install();
    await page.goto(address);
    await shown(page);
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.enable");
    const watched = new Watched(page, session);
    page.on("response", (response) => {
      if (polled.test(response.url())) watched.polls++;
    });
    return watched;
  }

  /** Lets 15 s pass, and waits for the responses to the page's next poll. */
  async cycle() {
    const before = this.polls;
    await this.page.clock.fastForward(minute / 4);
    await expect.poll(() => this.polls, { intervals: [5, 10, 20] }).toBeGreaterThan(before);
  }

  /** Returns the size of the heap after a garbage collection. */
  async heap(): Promise<number> {
    await this.page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
    await this.session.send("HeapProfiler.collectGarbage");
    return (await this.session.send("Runtime.getHeapUsage")).usedSize;
  }
}

/** Lets `count` cycles of 15 s pass. Every minute the test changes a channel, which the event stream announces. */
async function pass(project: Project, pages: Watched[], count: number) {
  for (let number = 0; number < count; number++) {
    if (number % 4 === 0) await project.call("PATCH", "/v1/ota/channels/production", { isPaused: number % 8 === 0 });
    await Promise.all(pages.map((page) => page.cycle()));
  }
}

/**
 * Returns each page's smallest heap of ten cycles. After some cycles a response or a redrawn chart is still in memory.
 */
async function heaps(project: Project, pages: Watched[]): Promise<number[]> {
  const sizes = pages.map(() => Infinity);
  for (let number = 0; number < 10; number++) {
    await pass(project, pages, 1);
    for (const [index, page] of pages.entries()) sizes[index] = Math.min(sizes[index] ?? Infinity, await page.heap());
  }
  return sizes;
}

test("the heap does not grow while the overview and a rollout with its charts are open", async ({ context, page, project, signIn }) => {
  const rollout = (await makeRecords(project)).find((address) => address.startsWith("rollouts/"));
  await signIn();
  const pages = [
    await Watched.open(page, `/app/${project.slug}/overview`, /\/v1\/ota\/overview$/, (page) => expect(page.getByRole("link", { name: "The first" }).first()).toBeVisible()),
    await Watched.open(await context.newPage(), `/app/${project.slug}/${rollout}`, /\/looks\?/, (page) => expect(page.locator("canvas")).toHaveCount(3)),
  ];
  // During the first hundred responses the browser compiles and caches code, and the heap grows by 8%. Then it stays the same,
  // unless there is a leak.
  await pass(project, pages, cycles);
  const before = await heaps(project, pages);
  await pass(project, pages, cycles);
  const after = await heaps(project, pages);
  for (const [index, page] of pages.entries()) {
    expect(page.polls).toBeGreaterThanOrEqual(2 * (cycles + 10));
    expect((after[index] ?? Infinity) / (before[index] ?? 1)).toBeLessThanOrEqual(budgets.heapGrowth);
  }
});
