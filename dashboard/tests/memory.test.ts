import { budgets } from "./support/budgets";
import { makeRecords } from "./support/records";
import type { Project } from "./support/project";
import { expect, test, type Page } from "./support/test";

const minute = 60_000;

/** A page that is open for long. Its clock is put forward. */
class Watched {
  polls = 0;

  private constructor(
    private readonly page: Page,
    private readonly session: Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>,
  ) {}

  /** Opens a page that asks at `polled` every 15 s, and waits for what it shows. */
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

  /** Lets 15 s pass, and waits for the answers that the page then asks for. */
  async cycle() {
    const before = this.polls;
    await this.page.clock.fastForward(minute / 4);
    await expect.poll(() => this.polls, { intervals: [5, 10, 20] }).toBeGreaterThan(before);
  }

  /** Returns the least of the heap after three collections: what the last answers leave behind is gone by then. */
  async heap(): Promise<number> {
    const sizes: number[] = [];
    while (sizes.length < 3) {
      await this.page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
      await this.session.send("HeapProfiler.collectGarbage");
      sizes.push((await this.session.send("Runtime.getHeapUsage")).usedSize);
    }
    return Math.min(...sizes);
  }
}

/** Half an hour is 120 cycles of 15 s. Somebody changes something every minute, which the stream tells. */
async function pass(project: Project, pages: Watched[], cycles: number) {
  for (let number = 0; number < cycles; number++) {
    if (number % 4 === 0) await project.call("PATCH", "/v1/ota/channels/production", { isPaused: number % 8 === 0 });
    await Promise.all(pages.map((page) => page.cycle()));
  }
}

test("the heap does not grow while the overview and a rollout with its charts are open for half an hour", async ({ context, page, project, signIn }) => {
  const rollout = (await makeRecords(project)).find((address) => address.startsWith("rollouts/"));
  await signIn();
  const pages = [
    await Watched.open(page, `/app/${project.slug}/overview`, /\/v1\/ota\/overview$/, (page) => expect(page.getByRole("link", { name: "The first" }).first()).toBeVisible()),
    await Watched.open(await context.newPage(), `/app/${project.slug}/${rollout}`, /\/looks\?/, (page) => expect(page.locator("canvas")).toHaveCount(3)),
  ];
  // What is compiled and cached with the first answers.
  await pass(project, pages, 20);
  const before = await Promise.all(pages.map((page) => page.heap()));
  await pass(project, pages, 120);
  const after = await Promise.all(pages.map((page) => page.heap()));
  for (const [index, page] of pages.entries()) {
    expect(page.polls).toBeGreaterThanOrEqual(140);
    expect((after[index] ?? Infinity) / (before[index] ?? 1)).toBeLessThanOrEqual(budgets.heapGrowth);
  }
});
