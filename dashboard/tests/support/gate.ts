import type { Page, Request } from "@playwright/test";

declare global {
  interface Window {
    gate: {
      /** How many requests are held back. */
      held: () => number;
      /** Lets through what is held, waits until it is answered, and answers the paths that a page asks while it opens. */
      step: () => Promise<string[]>;
      /** What moved since the document began. */
      shifts: () => Shift[];
    };
  }
}

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/**
 * Runs before the code of a page. It holds back what the page asks of the API, so that the machine's speed decides nothing:
 * the stream stays unopened, Waft is always ready, and the clock stands still, since ages such as "10 sec. ago" are of other widths.
 */
function install() {
  const now = Date.now();
  Date.now = () => now;
  const ask = window.fetch.bind(window);
  const held: { path: string; go: () => Promise<void> }[] = [];
  const answered = new Map<string, number>();
  window.fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href);
    if (pathname === "/readyz") return Promise.resolve(new Response("{}"));
    if (pathname.endsWith("/stream")) return new Promise(() => {});
    if (!pathname.startsWith("/v1/")) return ask(input, init);
    const path = pathname + search;
    return new Promise((resolve, reject) => {
      const go = async () => {
        try {
          const response = await ask(input, init);
          await response.clone().arrayBuffer();
          resolve(response);
        } catch (error) {
          reject(error as Error);
        }
        answered.set(path, performance.now());
      };
      held.push({ path, go });
    });
  };
  const shifts: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.gate = {
    held: () => held.length,
    step: async () => {
      const step = held.splice(0);
      // Who is signed in is the frame's. Figures are asked for again every 15 s.
      const isPoll = (path: string) => performance.now() - (answered.get(path) ?? Infinity) > 10_000;
      const paths = step.map(({ path }) => path).filter((path) => path !== "/v1/me" && !isPoll(path));
      await Promise.all(step.map(({ go }) => go()));
      return paths;
    },
    shifts: () => [...shifts, ...observer.takeRecords()] as Shift[],
  };
}

/**
 * Opens pages step by step: it lets through what a page asks of the API when the page has nothing left to do. What is asked
 * afterwards was waiting for an answer.
 */
export class Gate {
  private readonly code = new Set<Request>();

  private constructor(private readonly page: Page) {
    const isCode = (request: Request) => ["document", "script", "stylesheet"].includes(request.resourceType());
    page.on("request", (request) => void (isCode(request) && this.code.add(request)));
    page.on("requestfinished", (request) => void this.code.delete(request));
    page.on("requestfailed", (request) => void this.code.delete(request));
  }

  static async before(page: Page): Promise<Gate> {
    await page.addInitScript(install);
    return new Gate(page);
  }

  /** Opens an address; each answer takes at least so long, in milliseconds. Answers what was asked, by step. */
  async open(address: string, answerTime: number): Promise<string[][]> {
    const steps: string[][] = [];
    await this.page.goto(address);
    for (;;) {
      await this.idle();
      await new Promise((resolve) => setTimeout(resolve, answerTime));
      await this.idle();
      if ((await this.page.evaluate(() => window.gate.held())) === 0) return steps;
      const step = await this.page.evaluate(() => window.gate.step());
      if (step.length > 0) steps.push(step);
    }
  }

  /** How far the content jumped since the page was opened, and what moved, in pixels. */
  async shifts(): Promise<{ shift: number; moved: string[] }> {
    // What the last answer moves is known once a frame is drawn.
    await this.page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
    return this.page.evaluate(() => {
      const shifts = window.gate.shifts();
      return {
        shift: shifts.reduce((sum, { value }) => sum + value, 0),
        moved: shifts.flatMap(({ sources }) =>
          sources.map(({ node, previousRect, currentRect }) => `${node?.textContent?.slice(0, 40)}: ${previousRect.y} to ${currentRect.y}`),
        ),
      };
    });
  }

  /** Waits until no code is on its way and the page is idle, twice in a row: the first time it may begin what it has got. */
  private async idle() {
    for (let idle = 0; idle < 2; ) {
      await this.page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
      idle = this.code.size === 0 ? idle + 1 : 0;
    }
  }
}
