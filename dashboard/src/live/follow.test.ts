// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followProject, silence } from "./follow";
import type { LiveState } from "./state";
import type { Change } from "./stream";

/** Locks of a browser with several tabs: one holder per name, and a queue. */
class Locks {
  private held: { reject: (reason: Error) => void } | null = null;
  private readonly queue: (() => void)[] = [];

  request(_name: string, options: { steal?: boolean; signal?: AbortSignal }, run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        const mine = { reject };
        this.held = mine;
        void run().then(() => {
          if (this.held === mine) this.free();
          resolve();
        });
      };
      if (options.steal) {
        this.held?.reject(new Error("stolen"));
        begin();
      } else if (this.held) {
        this.queue.push(begin);
        options.signal?.addEventListener("abort", () => {
          this.queue.splice(this.queue.indexOf(begin), 1);
          reject(new Error("aborted"));
        });
      } else {
        begin();
      }
    });
  }

  private free() {
    this.held = null;
    this.queue.shift()?.();
  }
}

/** A server whose streams are open until they are aborted. */
class Server {
  readonly opened: { lastEventId: string; send: (text: string) => void; isOpen: () => boolean }[] = [];
  isDown = false;
  hasSession = true;
  refused = 0;

  fetch = (_path: unknown, init?: RequestInit): Promise<Response> => {
    if (this.isDown) return Promise.reject(new Error("no connection"));
    if (!this.hasSession) {
      this.refused++;
      return Promise.resolve(new Response(null, { status: 401 }));
    }
    let to!: ReadableStreamDefaultController<Uint8Array>;
    let isOpen = true;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (to = controller) });
    init?.signal?.addEventListener("abort", () => {
      if (isOpen) to.error(new Error("aborted"));
      isOpen = false;
    });
    const headers = init?.headers as Record<string, string>;
    this.opened.push({ lastEventId: headers["Last-Event-ID"]!, send: (text) => to.enqueue(new TextEncoder().encode(text)), isOpen: () => isOpen });
    return Promise.resolve(new Response(body, { status: 200 }));
  };

  get last() {
    return this.opened.at(-1)!;
  }
}

let server: Server;
const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  server = new Server();
  vi.stubGlobal("fetch", server.fetch);
  Object.defineProperty(navigator, "locks", { value: new Locks(), configurable: true });
});

afterEach(() => {
  ends.splice(0).forEach((end) => end());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens a tab that follows the project, and records what it learns. */
function tab(position = "p0") {
  const changes: Change[] = [];
  const states: LiveState["status"][] = [];
  const end = followProject({ project: "demo", position, onChange: (change) => changes.push(change), onState: ({ status }) => states.push(status) });
  ends.push(end);
  return { changes, states, end, now: () => states.at(-1) };
}

const changed = (id: string) => `event: changed\nid: ${id}\ndata: {"resource":"flags","id":1,"action":"flag.updated"}\n\n`;
const heartbeat = ": heartbeat\n\n";
const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test("the stream begins at the position of the page's data, so that opening it does not reload anything", async () => {
  const one = tab("p7");
  await vi.waitFor(() => expect(one.now()).toBe("live"));
  expect(server.opened.map(({ lastEventId }) => lastEventId)).toEqual(["p7"]);
  expect(one.changes).toEqual([]);
});

test("a stream without a heartbeat is opened again, at the last change", async () => {
  const one = tab();
  await vi.waitFor(() => expect(one.now()).toBe("live"));
  server.last.send(changed("p1"));
  await vi.waitFor(() => expect(one.changes).toHaveLength(1));
  for (let beats = 0; beats < 8; beats++) {
    await settle(15_000);
    server.last.send(heartbeat);
    await settle();
  }
  expect(server.opened).toHaveLength(1);
  await settle(silence + 7_000);
  await vi.waitFor(() => expect(server.opened).toHaveLength(2));
  expect(one.states).toContain("lost");
  expect(server.last.lastEventId).toBe("p1");
  await vi.waitFor(() => expect(one.now()).toBe("live"));
});

test("a tab is not live while the server cannot be reached, and connects as soon as the network is back", async () => {
  const one = tab();
  await vi.waitFor(() => expect(one.now()).toBe("live"));
  server.isDown = true;
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(one.now()).toBe("lost"));
  server.isDown = false;
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(one.now()).toBe("live"));
});

test("a tab that does not read learns heartbeats and changes from the tab that does", async () => {
  const one = tab();
  await vi.waitFor(() => expect(one.now()).toBe("live"));
  const two = tab();
  await vi.waitFor(() => expect(two.now()).toBe("live"));
  server.last.send(changed("p1"));
  await vi.waitFor(() => expect(two.changes).toHaveLength(1));
  expect(server.opened).toHaveLength(1);
  one.end();
  await vi.waitFor(() => expect(server.opened).toHaveLength(2));
  expect(server.last.lastEventId).toBe("p1");
});

test("a tab takes the stream over from a reading tab that is frozen", async () => {
  // The frozen tab holds the lock, and its code does not run.
  let lose = () => {};
  const taken = new Promise<void>((resolve) => (lose = resolve));
  void navigator.locks.request("waft-live-demo", {}, () => new Promise<void>(() => {})).catch(lose);
  const two = tab("p3");
  await settle(silence - 5_000);
  expect(server.opened).toHaveLength(0);
  await settle(12_000);
  await taken;
  await vi.waitFor(() => expect(two.now()).toBe("live"));
  expect(server.last.lastEventId).toBe("p3");
});

test("a refused stream makes the tabs ask once, and is opened again when somebody signs in", async () => {
  server.hasSession = false;
  const one = tab();
  await vi.waitFor(() => expect(one.changes).toHaveLength(1));
  await settle(silence - 10_000);
  expect(server.refused).toBe(1);
  expect(one.changes).toHaveLength(1);
  server.hasSession = true;
  dispatchEvent(new Event("waft-back"));
  await vi.waitFor(() => expect(one.now()).toBe("live"));
  expect(one.changes.map(({ type }) => type)).toEqual(["reset", "reset"]);
});

test("a new tab with a session opens the stream that another tab was refused", async () => {
  server.hasSession = false;
  const one = tab();
  await vi.waitFor(() => expect(one.changes).toHaveLength(1));
  server.hasSession = true;
  const two = tab();
  await vi.waitFor(() => expect(two.now()).toBe("live"));
  expect(one.now()).toBe("live");
});

test("a stream that stays refused is tried as rarely as a silent one", async () => {
  server.hasSession = false;
  const one = tab();
  await settle(3 * silence + 20_000);
  expect(server.refused).toBeGreaterThan(1);
  expect(server.refused).toBeLessThan(5);
  expect(one.changes).toHaveLength(1);
});
