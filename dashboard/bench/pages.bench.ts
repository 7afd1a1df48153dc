import { Devices, rollOut } from "../tests/support/devices";
import { Project, url } from "../tests/support/project";
import { makeRecords } from "../tests/support/records";
import { expect, test, type Page } from "../tests/support/test";
import { Bare } from "./bare";
import { print, rounds, type Row } from "./table";

/** Returns when the largest part of the page was drawn, in milliseconds since it was asked for with an empty cache. */
async function largestPaint(page: Page, address: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await session.detach();
  await page.bringToFront();
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Infinity)).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
}

/** Makes the page as slow as on a phone: a processor four times slower, 1.6 Mbit/s down, 0.75 up, 150 ms to the server and back. */
async function asSlowPhone(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (0.75 * 1024 * 1024) / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

test("how soon pages are drawn", async ({ page, browser, project, request, signIn }) => {
  const bare = await Bare.serve(request);
  await makeRecords(project);
  await signIn();
  const stranger = await (await browser.newContext({ baseURL: url })).newPage();
  const rows: Row[] = [];
  for (const slow of [false, true]) {
    if (slow) for (const each of [page, stranger]) await asSlowPhone(each);
    const [login, overview, baseline]: number[][] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      baseline!.push(await largestPaint(stranger, bare.url));
      login!.push(await largestPaint(stranger, "/app/login"));
      overview!.push(await largestPaint(page, `/app/${project.slug}/overview`));
    }
    const where = slow ? ", on a slow phone" : "";
    rows.push({ what: `sign-in drawn${where}`, took: login!, beside: "bare page", baseline: baseline!, limit: slow ? 4 : 5 });
    rows.push({ what: `overview drawn${where}`, took: overview!, beside: "bare page", baseline: baseline!, limit: slow ? 8 : 10 });
  }
  print(rows);
});

/** Watches the page until an element says the text and a frame shows it. Its `at` is when that was, by the machine's clock. */
function shown(page: Page, selector: string, text: string) {
  return page.evaluateHandle(
    ({ selector, text }) => {
      const at = new Promise<number>((resolve) => {
        const isThere = () => [...document.querySelectorAll(selector)].some((each) => each.checkVisibility() && each.textContent?.includes(text));
        // A task after the frame's callbacks: the frame has been drawn.
        const painted = () =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(Date.now());
            port2.postMessage(null);
          });
        const observer = new MutationObserver(() => {
          if (!isThere()) return;
          observer.disconnect();
          painted();
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
        if (isThere()) resolve(Number.NaN); // it was there before the change: the measurement is wrong
      });
      return { at };
    },
    { selector, text },
  );
}

/** Returns the milliseconds from the response to a change until the page shows the text. */
async function untilShown(page: Page, selector: string, text: string, change: () => Promise<unknown>): Promise<number> {
  // Other tabs are drawn once a second.
  await page.bringToFront();
  const watched = await shown(page, selector, text);
  await change();
  const answered = Date.now();
  const at = await watched.evaluate((each) => each.at);
  expect(at, `${text} was shown before the change`).not.toBeNaN();
  return Math.max(0, at - answered);
}

test("how soon a change is on screen", async ({ page, project, request, signIn }) => {
  const bare = await Bare.serve(request);
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "In stages", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  await signIn("editor");
  // A single tab reads the stream and passes changes to the others.
  const [rollouts, flags, still] = [await page.context().newPage(), await page.context().newPage(), await page.context().newPage()];
  const opened = page.waitForResponse("**/v1/ota/stream");
  await page.goto(`/app/${project.slug}/overview`);
  await opened;
  await rollouts.goto(`/app/${project.slug}/rollouts/${rollout}`);
  await flags.goto(`/app/${project.slug}/flags`);
  for (const each of [page, rollouts, flags]) await expect(each.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await still.goto(bare.url);

  const [releases, commands, made, baseline]: number[][] = [[], [], [], []];
  for (let i = 1; i <= rounds; i++) {
    baseline!.push(await untilShown(still, "h1", `Text ${i}.`, () => bare.say(`Text ${i}.`)));
    releases!.push(await untilShown(page, "main a", `Release ${i}.`, () => project.publish(`Release ${i}.`, undefined, "production", "android")));
    const command = i % 2 ? "pause" : "resume";
    const order = () => project.call("POST", `/v1/ota/rollout-executions/${rollout}/${command}`, {});
    commands!.push(await untilShown(rollouts, "main header *", i % 2 ? "Paused" : "Running", order));
    made!.push(await untilShown(flags, "main a", `flag-${i}.`, () => project.call("POST", "/v1/ota/flags", { key: `flag-${i}.` })));
  }
  const beside = "bare page shows a text";
  print([
    { what: "a published release is on the overview", took: releases!, beside, baseline: baseline!, limit: 30 },
    { what: "a paused or resumed rollout says so on its page", took: commands!, beside, baseline: baseline!, limit: 30 },
    { what: "a created flag is in the list", took: made!, beside, baseline: baseline!, limit: 30 },
  ]);
});

/** Types into a search field and returns how long it takes until the only row that matches is shown, in milliseconds. */
async function search(page: Page, field: string, text: string, row: string): Promise<number> {
  await page.bringToFront();
  const input = page.getByLabel(field);
  const watched = await input.evaluateHandle((input, row) => {
    const isFound = () => {
      const shown = [...document.querySelectorAll('[role="row"]')].filter((each) => each.querySelector('[role="cell"]'));
      return shown.length === 1 && Boolean(shown[0]?.textContent?.includes(row));
    };
    const took = new Promise<number>((resolve) => {
      const begin = () => {
        const start = performance.now();
        // A task after the callbacks of a frame in which it is found: the frame has been drawn.
        const look = () =>
          void requestAnimationFrame(() => {
            if (!isFound()) return look();
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - start);
            port2.postMessage(null);
          });
        look();
      };
      input.addEventListener("input", begin, { once: true });
    });
    return { took };
  }, row);
  await input.fill(text);
  const took = await watched.evaluate(({ took }) => took);
  await input.fill("");
  return took;
}

test("how soon one of 10,000 is found", async ({ page, playwright, request }) => {
  const bare = await Bare.serve(request);
  const project = new Project(await playwright.request.newContext(), process.env.WAFT_LONG_PROJECT ?? "", "long");
  const { token } = await project.invite("admin");
  const accepted = await page.request.post(`${url}/v1/auth/invitations/accept`, { data: { token, name: "Sam", password: "correct horse battery staple" } });
  expect(accepted.status()).toBe(200);
  const still = await page.context().newPage();
  await still.goto(bare.url);
  const lists = [
    { list: "releases", field: "Search release notes, commit, branch", text: "n73", row: "Many n73" },
    { list: "audit", field: "Person, key or component", text: "user-84", row: "Person 84" },
    { list: "devices", field: "Search device ID", text: "device-84", row: "device-84" },
  ];
  const rows: Row[] = [];
  const baseline: number[] = [];
  for (const { list, field, text, row } of lists) {
    await page.goto(`/app/${project.slug}/${list}`);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const took: number[] = [];
    for (let round = 10; round < 10 + rounds; round++) {
      baseline.push(await search(still, "Find", `${text}${round}`, `${text}${round}`));
      took.push(await search(page, field, `${text}${round}`, `${row}${round}`));
    }
    rows.push({ what: `one of 10,000 found: ${list}`, took, beside: "bare field repeats it", baseline, limit: 200 });
  }
  print(rows);
});

const outages = process.env.WAFT_OUTAGES ?? "";

/** Asks the server every second, as pages do during an outage, the first time after one. Returns when it is ready. */
async function isReady(address: string): Promise<number> {
  do await new Promise((resolve) => setTimeout(resolve, 1_000));
  while (!(await fetch(`${address}/readyz`).then(({ ok }) => ok, () => false)));
  return Date.now();
}

test("how soon the overview is as before an outage", async ({ page, project, signIn }) => {
  const address = process.env.WAFT_URL_CUT ?? "";
  await project.publish("Stable");
  await signIn("editor");
  const cookies = await page.context().cookies();
  await page.context().addCookies(cookies.map((each) => ({ ...each, domain: new URL(address).hostname })));
  await page.goto(`${address}/app/${project.slug}/overview`);
  await expect(page.getByRole("link", { name: "Stable" })).toBeVisible();
  const rows: Row[] = [];
  for (const part of ["postgres", "clickhouse", "temporal", "server"]) {
    const [took, baseline]: number[][] = [[], []];
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      expect((await fetch(`${outages}/${part}/cut`)).ok).toBe(true);
      await expect(page.locator("#root > [role=alert]")).toBeVisible();
      const gone = page.evaluate(
        () => new Promise<number>((resolve) => {
          const look = () => void (document.querySelector('[role="alert"], [role="status"][aria-label="Loading"]') ? setTimeout(look, 10) : resolve(Date.now()));
          look();
        }),
      );
      expect((await fetch(`${outages}/${part}/mend`)).ok).toBe(true);
      const since = Date.now();
      baseline!.push((await isReady(address)) - since);
      took!.push((await gone) - since);
    }
    rows.push({ what: `the overview is as before: ${part}`, took: took!, beside: "a client sees that the server is ready", baseline: baseline!, limit: 5 });
  }
  print(rows);
});
