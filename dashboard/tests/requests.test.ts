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
