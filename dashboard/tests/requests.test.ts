import type { Request } from "@playwright/test";
import { addresses } from "./support/addresses";
import { budgets } from "./support/budgets";
import { depthOf, type Span } from "./support/depth";
import { makeRecords } from "./support/records";
import { expect, test, type Page } from "./support/test";

// A phone has columns of another height, so pages may jump there alone. What they ask is the same, and counted once.
// Every answer takes at least so long, in milliseconds, and comes when the page has nothing left to do: until then it asks
// what it can ask without one.
const screens = [
  { width: 1440, answerTime: 250, counts: true },
  { width: 360, answerTime: 100, counts: false },
];

interface Cost {
  address: string;
  asked: string[];
  requests: number;
  dependent: number;
  shift: number;
  /** What moved, and how far, in pixels. */
  moved: string[];
}

/** Tells when a page has nothing left to do but wait for the API. */
class Work {
  private readonly code = new Set<object>();

  constructor(private readonly page: Page) {
    const isCode = (request: Request) => ["document", "script", "stylesheet"].includes(request.resourceType());
    page.on("request", (request) => void (isCode(request) && this.code.add(request)));
    page.on("requestfinished", (request) => void this.code.delete(request));
    page.on("requestfailed", (request) => void this.code.delete(request));
    // What the page before was waiting for does not come any more.
    page.on("framenavigated", () => this.code.clear());
  }

  /** Waits until no code is on its way and the page is idle, twice in a row: the first time it may begin what it has got. */
  async ended() {
    for (let idle = 0; idle < 2; ) {
      await this.page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 })));
      idle = this.code.size === 0 ? idle + 1 : 0;
    }
  }
}

/** Opens the page and counts what it asks of the API until it has shown all answers, and how far its content jumps. */
async function costOf(page: Page, work: Work, slug: string, address: string, answerTime: number): Promise<Cost> {
  const spans = new Map<object, Span>();
  // Who is signed in and the stream are the frame's, which asks once a tab.
  const isCounted = (url: string) => url.includes("/v1/") && !url.endsWith("/v1/me") && !url.endsWith("/stream");
  const began = (request: { url: () => string }) => isCounted(request.url()) && spans.set(request, { start: performance.now(), end: Infinity });
  const ended = (request: object) => {
    const span = spans.get(request);
    if (span) span.end = performance.now();
  };
  page.on("request", began);
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  await page.goto(`/app/${slug}/${address}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  // Nothing has been asked for as long as a further request would take to come.
  const last = () => Math.max(...[...spans.values()].map(({ start, end }) => Math.max(start, end)));
  await expect
    .poll(
      async () => {
        await work.ended();
        return performance.now() - last();
      },
      { intervals: [50] },
    )
    .toBeGreaterThan(answerTime);
  page.off("request", began);
  page.off("requestfinished", ended);
  page.off("requestfailed", ended);
  const { shift, moved } = await page.evaluate(
    () =>
      new Promise<Pick<Cost, "shift" | "moved">>((resolve) => {
        interface Shift extends PerformanceEntry {
          value: number;
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        }
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as Shift[];
          resolve({
            shift: shifts.reduce((sum, { value }) => sum + value, 0),
            moved: shifts.flatMap(({ sources }) =>
              sources.map(({ node, previousRect, currentRect }) => `${node?.textContent?.slice(0, 40)}: ${previousRect.y} to ${currentRect.y}`),
            ),
          });
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve({ shift: 0, moved: [] }), 100);
      }),
  );
  const asked = [...spans.keys()].map((request) => (request as { url: () => string }).url().replace(/^.*\/v1/, "/v1"));
  return { address, asked, requests: spans.size, dependent: depthOf([...spans.values()]), shift, moved };
}

for (const { width, answerTime, counts } of screens) {
  test(counts ? "no page asks more than 6 times, in more than 2 steps after the first, or jumps while it loads" : `no page jumps at ${width} px while it loads`, async ({ context, project, signIn }) => {
    test.slow();
    const all = ["../projects", ...addresses, ...(await makeRecords(project))];
    await signIn();
    // Each tab reads its own share of the pages, so that waiting for slow answers costs little.
    const queue = [...all];
    const costs: Cost[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const page = await context.newPage();
        const work = new Work(page);
        await page.setViewportSize({ width, height: 900 });
        await page.route("**/v1/**", async (route) => {
          // The stream stays unopened: what is on the page is asked again when it opens.
          if (route.request().url().endsWith("/stream")) return;
          await new Promise((resolve) => setTimeout(resolve, answerTime));
          // A page that is left needs no answer.
          await work.ended().catch(() => {});
          await route.continue().catch(() => {});
        });
        for (let address = queue.shift(); address; address = queue.shift()) costs.push(await costOf(page, work, project.slug, address, answerTime));
      }),
    );
    expect(costs).toHaveLength(all.length);
    const over = costs.filter(({ requests, dependent, shift }) => shift > budgets.layoutShift || (counts && (requests > budgets.requests || dependent > budgets.dependent)));
    expect(over).toEqual([]);
  });
}
