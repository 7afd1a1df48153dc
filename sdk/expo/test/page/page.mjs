// Opens a page in Chromium and executes the command in each line of JSON on the input. It responds to each with a line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const profile = mkdtempSync(join(tmpdir(), 'waft-page-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM,
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
  ],
});
// Long enough for a slow and busy machine.
context.setDefaultTimeout(120_000);
const page = context.pages()[0] ?? (await context.newPage());
let loads = 0;
page.on('load', () => {
  loads += 1;
});
const warnings = [];
page.on('console', (line) => {
  if (line.type() === 'warning') warnings.push(line.text());
});
// Keeps the texts of the first frame that has the app's screen.
await page.addInitScript(() => {
  const { document, MutationObserver } = globalThis;
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('[data-testid=release-label]')) {
      observer.disconnect();
      globalThis.firstFrame = document.body.innerText;
    }
  }).observe(document, { childList: true, subtree: true });
});
if (process.env.WAFT_CLOCK) await page.clock.install(); // Its time passes only by the command `pass`.
await page.goto(process.env.WAFT_PAGE);
await page.getByTestId('release-label').waitFor();

const fail = (message, how) =>
  page.evaluate(([text, kind]) => {
    globalThis.setTimeout(() => {
      if (kind === 'throw') throw new Error(text);
      void Promise.reject(new Error(text));
    });
  }, [message, how]);

let other;

async function openOther() {
  other = await context.newPage();
  await other.goto(process.env.WAFT_PAGE);
  await other.getByTestId('release-label').waitFor();
}

async function crashOther() {
  const crashed = other.waitForEvent('crash');
  const session = await context.newCDPSession(other);
  session.send('Page.crash').catch(() => undefined); // The crashed page cannot respond.
  await crashed;
  await other.close();
}

// The page shares OpenFeature's interface with every copy of its SDK by this symbol.
const signIn = (user) =>
  page.evaluate(async (targetingKey) => {
    await globalThis[Symbol.for('@openfeature/web-sdk/api')].setContext({ targetingKey });
  }, user);

const awaitStatus = (status) =>
  page.waitForFunction((wanted) => globalThis[Symbol.for('@openfeature/web-sdk/api')].getClient().providerStatus === wanted, status);

const isForWaft = (url) => url.pathname.startsWith('/v1/ota/');

async function connect(isConnected) {
  await (isConnected ? page.unroute(isForWaft) : page.route(isForWaft, (route) => route.abort()));
}

/** Calls the app's Waft, which the page's components have as a property, with the given data. */
const withWaft = (use, data) =>
  page.evaluate(
    ([source, given]) => {
      const root = globalThis.document.getElementById('root');
      const container = Object.keys(root).find((key) => key.startsWith('__reactContainer$'));
      const search = (fiber) => fiber && (fiber.memoizedProps?.waft ?? search(fiber.child) ?? search(fiber.sibling));
      return new Function(`return ${source}`)()(search(root[container].stateNode.current), given);
    },
    [use.toString(), data],
  );

const rethrow = (waft, message) => {
  const error = new Error(message);
  waft.health.captureException(error);
  waft.health.captureException(error, { isFatal: true });
  globalThis.setTimeout(() => {
    throw error;
  });
};

const burst = (waft, { name, count }) => {
  for (let n = 0; n < count; n += 1) waft.health.track(name, { step: `${n}` });
};

async function reload() {
  await page.reload();
  await page.getByTestId('release-label').waitFor();
}

async function answer({ do: what, testID, shown, message, name, count, ms }) {
  const place = page.getByTestId(testID ?? '');
  switch (what) {
    case 'text':
      return { text: (await place.count()) === 0 ? '' : await place.innerText() };
    case 'await':
      await place.waitFor({ state: shown ? 'visible' : 'detached' });
      return {};
    case 'throw':
    case 'reject':
      await fail(message, what);
      return {};
    case 'open another tab':
      await openOther();
      return {};
    case 'crash that tab':
      await crashOther();
      return {};
    case 'sign in':
      await signIn(message);
      return {};
    case 'await status':
      await awaitStatus(message);
      return {};
    case 'disconnect':
    case 'connect':
      await connect(what === 'connect');
      return {};
    case 'rethrow':
      await withWaft(rethrow, message);
      return {};
    case 'burst':
      await withWaft(burst, { name, count });
      return {};
    case 'pass':
      await page.clock.runFor(ms);
      return {};
    case 'warnings':
      return { warnings };
    case 'reload':
      await reload();
      return {};
    case 'first frame':
      return { text: await page.evaluate(() => globalThis.firstFrame) };
    case 'loads':
      return { loads };
    default:
      throw new Error(`nothing is known of ${what}`);
  }
}

try {
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await answer(JSON.parse(line))));
  }
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
