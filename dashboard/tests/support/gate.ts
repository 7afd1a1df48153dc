import type { Page, Request } from "@playwright/test";

declare global {
  interface Window {
    gate: {
      /** Returns the number of held requests. */
      held: () => number;
      /** Lets the held requests through, waits for their responses, and returns the paths that the page requested to open. */
      step: () => Promise<string[]>;
      /** Returns the layout shifts since the document began. */
      shifts: () => Shift[];
    };
  }
}

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/**
 * Runs before the code of a page, and holds the page's requests to the API, so that the machine's speed has no influence. The
 * event stream never opens and Waft is always ready. The clock is stopped, because ages such as "10 sec. ago" vary in width.
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
      // The frame requests /v1/me, not the page. A repeated path is a poll, which happens every 15 s.
      const isPoll = (path: string) => performance.now() - (answered.get(path) ?? Infinity) > 10_000;
      const paths = step.map(({ path }) => path).filter((path) => path !== "/v1/me" && !isPoll(path));
      await Promise.all(step.map(({ go }) => go()));
      return paths;
    },
    shifts: () => [...shifts, ...observer.takeRecords()] as Shift[],
  };
}

/**
 * Opens pages step by step. When the page has nothing left to do, the gate lets its held requests through. Later requests are the
 * next step: they depended on a response.
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

  /** Opens an address, and returns its requests by step. Each response takes at least `answerTime` milliseconds. */
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

  /** Returns how far the content jumped since the page was opened, and the elements that moved, in pixels. */
  async shifts(): Promise<{ shift: number; moved: string[] }> {
    // Shifts caused by the last response are recorded when a frame is drawn.
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

  /** Waits until no code is loading and the page is idle, two times in succession: after the first, it may run code that it loaded. */
  private async idle() {
    for (let idle = 0; idle < 2; ) {
      await this.page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
      idle = this.code.size === 0 ? idle + 1 : 0;
    }
  }
}
