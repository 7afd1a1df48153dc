// Measures what reporting costs an app: how long 10,000 calls of `track` take while the device is offline, compared with JSON.stringify
// of the same events in the same process, and the longest block of the event loop in the ten seconds after them. Each run is a new
// process, because an app does this once. Run it with `make bench BENCH=reports`.
// With -short it makes one short run.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const isShort = process.argv.includes('-short');
const [script, program] = process.argv.slice(1).filter((argument) => argument !== '-short');
const runs = isShort ? 1 : 9;
const watchedMs = isShort ? 100 : 10_000;
const events = Array.from({ length: 10_000 }, (_, n) => ({ type: 'custom', name: `event ${n}`, tags: { step: `${n}` }, count: 1 }));

if (program === undefined) {
  await compare();
} else {
  await measure();
}

/** Bundles the package with doubles of the modules that only exist on a phone, and runs the bundle in new processes. */
async function compare() {
  const sdk = fileURLToPath(new URL('../../sdk/', import.meta.url));
  const { rolldown } = await import(`${sdk}node_modules/rolldown/dist/index.mjs`);
  process.chdir(`${sdk}expo`);
  const { default: device } = await import(`${sdk}expo/test/device/rolldown.config.mjs`);
  const file = `${sdk}expo/build/bench.mjs`;
  const bundle = await rolldown({ ...device, input: 'dist/health.js' });
  await bundle.write({ ...device.output, file });
  await bundle.close();
  const measured = Array.from({ length: runs }, () => {
    const { stdout, stderr, status } = spawnSync('node', [script, file, ...(isShort ? ['-short'] : [])], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  const median = (name) => measured.map((run) => run[name]).sort((a, b) => a - b)[runs >> 1];
  console.log('| runs | JSON.stringify ms | track ms | ratio | longest block afterwards ms |\n|---|---|---|---|---|');
  const cells = ['stringifyMs', 'trackMs', 'ratio', 'blockMs'].map((name) => median(name).toFixed(1));
  console.log(`| ${runs} | ${cells.join(' | ')} |`);
}

async function measure() {
  globalThis.fetch = () => Promise.reject(new TypeError('the device is offline'));
  const { createHealth } = await import(program);
  const content = new Map();
  const storage = {
    getItem: async (key) => content.get(key) ?? null,
    setItem: async (key, value) => content.set(key, value),
    removeItem: async (key) => content.delete(key),
  };
  const health = createHealth({
    storage, url: 'http://offline.test', project: 'demo', channel: 'production', runtimeVersion: '1', enabled: true,
  });
  health.start();
  const stringifyMs = timed(() => JSON.stringify(events));
  const trackMs = timed(() => {
    for (const { name, tags } of events) health.track(name, tags);
  });
  const blockMs = await longestBlock(watchedMs);
  console.log(JSON.stringify({ stringifyMs, trackMs, ratio: trackMs / stringifyMs, blockMs }));
  process.exit(0);
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Returns the longest time between two turns of the event loop. */
async function longestBlock(forMs) {
  let longest = 0;
  const end = performance.now() + forMs;
  for (let last = performance.now(); last < end; ) {
    await new Promise(setImmediate);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return longest;
}
