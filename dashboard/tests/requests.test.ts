import { addresses } from "./support/addresses";
import { budgets } from "./support/budgets";
import { Gate } from "./support/gate";
import { makeRecords } from "./support/records";
import { expect, test, type Page } from "./support/test";

// A phone has columns of another height, so pages may jump there alone. What they ask is the same, and counted once.
// Every answer is held back for so long, in milliseconds: long enough for what pages show while they wait.
const screens = [
  { width: 1440, answerTime: 250, counts: true },
  { width: 360, answerTime: 100, counts: false },
];

interface Cost {
  address: string;
  asked: string[];
  /** How often the page had to wait for an answer before it could ask for more. */
  dependent: number;
  shift: number;
  /** What moved, and how far, in pixels. */
  moved: string[];
}

/** Opens the page, and answers what it asks of the API until it has shown all answers, and how far its content jumps. */
async function costOf(page: Page, gate: Gate, slug: string, address: string, answerTime: number): Promise<Cost> {
  const steps = await gate.open(`/app/${slug}/${address}`, answerTime);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  return { address, asked: steps.flat(), dependent: Math.max(0, steps.length - 1), ...(await gate.shifts()) };
}

for (const { width, answerTime, counts } of screens) {
  test(counts ? "no page asks more than 6 times, in more than 2 steps after the first, or jumps while it loads" : `no page jumps at ${width} px while it loads`, async ({ context, project, signIn }) => {
    const all = ["../projects", ...addresses, ...(await makeRecords(project))];
    await signIn();
    // Each tab reads its own share of the pages, so that waiting for slow answers costs little.
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
    expect(costs.flatMap(({ asked }) => asked).length, "what pages ask is seen").toBeGreaterThan(all.length);
    const over = costs.filter(({ asked, dependent, shift }) => shift > budgets.layoutShift || (counts && (asked.length > budgets.requests || dependent > budgets.dependent)));
    expect(over).toEqual([]);
  });
}
