import { addresses } from "./support/addresses";
import { budgets } from "./support/budgets";
import { Gate } from "./support/gate";
import { makeRecords } from "./support/records";
import { expect, test, type Page } from "./support/test";

// On a phone, columns have other heights, so a page may jump only there. The requests are the same on both screens and are
// counted once. Every response is delayed by answerTime milliseconds, so that pages show their loading state.
const screens = [
  { width: 1440, answerTime: 250, counts: true },
  { width: 360, answerTime: 100, counts: false },
];

interface Cost {
  address: string;
  asked: string[];
  /** How often the page had to wait for a response before it could send further requests. */
  dependent: number;
  shift: number;
  /** The elements that moved, and how far, in pixels. */
  moved: string[];
}

/** Opens the page, lets its requests through until it shows all data, and returns its requests and how far its content jumped. */
async function costOf(page: Page, gate: Gate, slug: string, address: string, answerTime: number): Promise<Cost> {
  const steps = await gate.open(`/app/${slug}/${address}`, answerTime);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  return { address, asked: steps.flat(), dependent: Math.max(0, steps.length - 1), ...(await gate.shifts()) };
}

for (const { width, answerTime, counts } of screens) {
  test(counts ? "no page sends more than 6 requests, in more than 2 steps after the first, or jumps while it loads" : `no page jumps at ${width} px while it loads`, async ({ context, project, signIn }) => {
    const all = ["../projects", ...addresses, ...(await makeRecords(project))];
    await signIn();
    // Four tabs take pages from one queue, so that waiting for slow responses costs little time.
    const queue = [...all];
    const costs: Cost[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const page = await context.newPage();
        await page.setViewportSize({ width, height: 900 });
        const gate = await Gate.before(page);
        for (let address = queue.shift(); address; address = queue.shift()) costs.push(await costOf(page, gate, project.slug, address, answerTime));
      }),
    );
    expect(costs).toHaveLength(all.length);
    expect(costs.flatMap(({ asked }) => asked).length, "requests of pages are recorded").toBeGreaterThan(all.length);
    const over = costs.filter(({ asked, dependent, shift }) => shift > budgets.layoutShift || (counts && (asked.length > budgets.requests || dependent > budgets.dependent)));
    expect(over).toEqual([]);
  });
}

test("a page whose event stream opens sends each request once", async ({ page, project, signIn }) => {
  const all = [...addresses, ...(await makeRecords(project))];
  await signIn();
  // Without the polls of telemetry, however slow the machine is.
  await page.addInitScript(() => {
    const repeat = window.setInterval.bind(window) as (run: TimerHandler, interval?: number) => number;
    window.setInterval = ((run: TimerHandler, interval?: number) => (interval === 15_000 ? 0 : repeat(run, interval))) as typeof window.setInterval;
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/v1/") && request.method() === "GET" && !pathname.endsWith("/stream")) asked.push(pathname + search);
  });
  const over: { address: string; asked: string[] }[] = [];
  for (const address of all) {
    asked.length = 0;
    await page.goto(`/app/${project.slug}/${address}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    // Requests that the open stream causes are sent in the same task, before the next frame.
    await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
    const sent = [...asked];
    const own = sent.filter((path) => path !== "/v1/me");
    if (new Set(sent).size < sent.length || own.length > budgets.requests) over.push({ address, asked: sent });
  }
  expect(over).toEqual([]);
});
