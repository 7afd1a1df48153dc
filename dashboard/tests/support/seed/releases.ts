import { url, type Project } from "../project";
import { each, Fleet, phones, until, type Reported } from "./fleet";

export const longName = "release-candidates-of-the-autumn-campaign-for-tablets-in-europe";
export const longMessage =
  "Checkout remembers the address, the basket survives a restart, and prices are shown with the tax of the country that parcels go to";

interface Release {
  id: number;
  updateUuid: string;
}
interface Execution {
  id: number;
  status: string;
  updateId: number;
  stageIndex: number;
}

// Column 10 of the bundle's only line is line 2 of cart.js.
const bundle = "/* app */ throw x";
const map = JSON.stringify({
  version: 3,
  sources: ["/app/src/screens/cart.js", "/app/index.js"],
  sourcesContent: ["export function priceOf(item) {\n  return item.price.cents / 100;\n}\n", "\n"],
  names: [],
  mappings: "AAAA,UACA",
});

const error: Reported = {
  type: "js_error",
  count: 2,
  errorName: "TypeError",
  message: "Cannot read property 'cents' of undefined",
  stackTrace: "TypeError: Cannot read property 'cents' of undefined\n    at priceOf (index.bundle:1:11)\n    at map (native)",
  tags: { screen: "cart" },
  flagStates: { "new-checkout": "true" },
  breadcrumbs: [
    ...Array.from({ length: 9 }, (_, index) => ({ timestamp: `2026-11-29T21:50:0${index}.100Z`, category: "ui.scroll", message: `Item ${index}`, level: "debug" })),
    { timestamp: "2026-11-29T21:50:31.400Z", category: "navigation", message: "To the cart", level: "info", data: { from: "home", to: "cart" } },
    { timestamp: "2026-11-29T21:50:35.900Z", category: "http", message: "GET /prices answered 503", level: "warning", data: { duration: "1204 ms", url: "https://shop.example/prices?currency=EUR&items=7,12,31" } },
    { message: "The prices of the cache are used", level: "error" },
    { timestamp: "2026-11-29T21:50:41.070Z", category: "ui.tap", message: "Pay", level: "info" },
  ],
};
const crash: Reported = {
  type: "crash",
  count: 1,
  isFatal: true,
  errorName: "RangeError",
  message: `Maximum call stack size exceeded while ${longName.replaceAll("-", "_")} was laid out`,
  stackTrace: "RangeError: Maximum call stack size exceeded\n    at layout (index.bundle:1:11)\n    at render (index.bundle:1:14)",
};

/** Creates releases with a long history on channels that exist, devices on them, and rollouts that ended, were rolled back, wait or are paused. */
export async function seedReleases(project: Project, flagId: number) {
  const fleet = new Fleet(project);
  const policies = await seedPolicies(project);

  const first = await project.publish("The first of the season", bundle);
  await project.request.fetch(`${url}/v1/ota/builds/${first.build.id}/sourcemap`, {
    method: "PUT",
    headers: { ...project.headers, "Content-Type": "application/octet-stream" },
    data: map,
  });
  const android = await project.publish("The first of the season", "/* android */", "production", "android");
  const publish = (more: object) => project.call<Release>("POST", "/v1/ota/updates", { buildId: first.build.id, channel: "production", ...more });
  await each(Array.from({ length: 40 }), (_, index) => publish({ releaseMessage: index % 9 ? `Fixes of week ${index + 1}` : longMessage }));
  await publish({ channel: longName, releaseMessage: longMessage });

  await fleet.start([...phones("ios", "production", 50), ...phones("ios", longName, 6)], (_phone, index) => (index % 12 === 0 ? [error] : []));
  await fleet.start(phones("android", "production", 30), (_phone, index) => (index % 15 === 0 ? [error] : []));
  // A device that crashed on the embedded update, whose channel has no release for its platform.
  await fleet.report({ id: `tablet-${longName}`, platform: "android", channel: longName }, null, [crash]);

  // This rollout is rolled back because of crashes.
  const broken = await project.call<Release>("POST", "/v1/ota/updates", {
    buildId: android.build.id,
    channel: "production",
    releaseMessage: "Faster start, which crashes",
    rolloutPolicyId: policies.quick,
  });
  let reached = 0;
  const rolledBack = await until("a rollback", async () => {
    const execution = await executionOf(project, broken.id);
    if (execution?.status === "rolled_back") return execution;
    if (reached < 40) {
      const served = await fleet.start(phones("android", "production", 40), (_phone, index, update) => (update === broken.updateUuid && index % 2 ? [crash] : []));
      reached = served.filter((update) => update === broken.updateUuid).length;
    }
    return null;
  });

  // This rollout runs, waits for devices, and has a linked flag.
  const waiting = await publish({ releaseMessage: longMessage, rolloutPolicyId: policies.careful, linkedFlags: [{ flagId, enabled: true }] });
  const running = await until("a rollout", () => executionOf(project, waiting.id));
  reached = 0;
  await until("its second stage", async () => {
    if (reached < 8) {
      const served = await fleet.start(phones("ios", "production", 60), (_phone, index, update) => (update === waiting.updateUuid && index % 25 === 0 ? [error] : []));
      reached = served.filter((update) => update === waiting.updateUuid).length;
    }
    return (await executionOf(project, waiting.id))?.stageIndex === 1;
  });

  const held = await publish({ channel: longName, releaseMessage: "Held manually", rolloutPolicyId: policies.careful });
  const paused = await until("a rollout", () => executionOf(project, held.id));
  await project.call("POST", `/v1/ota/rollout-executions/${paused.id}/pause`, { reason: "The support team looks at reports of two customers first." });

  const groups = await until("groups of errors", async () => {
    const groups = await project.call<{ fingerprint: string; type: string; culprit: string }[]>("GET", "/v1/ota/observe/groups");
    return groups.some((group) => group.type === "crash") && groups.some((group) => group.culprit.includes("cart.js")) && groups;
  });
  await until("an incident", async () => (await project.call<unknown[]>("GET", "/v1/ota/telemetry/incidents")).length > 0);
  return {
    buildId: first.build.id,
    release: running.updateId,
    rolledBackRelease: broken.id,
    running: running.id,
    rolledBack: rolledBack.id,
    paused: paused.id,
    policy: policies.careful,
    idlePolicy: policies.idle,
    fingerprint: groups.find((group) => group.culprit.includes("cart.js"))!.fingerprint,
    device: phones("ios", "production", 1)[0]!.id,
  };
}

async function executionOf(project: Project, updateId: number): Promise<Execution | undefined> {
  const executions = await project.call<Execution[]>("GET", "/v1/ota/rollout-executions?limit=50");
  return executions.find((execution) => execution.updateId === updateId);
}

async function seedPolicies(project: Project) {
  const make = (body: object) => project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", body);
  const quick = await make({ name: "Quick", stages: [{ percentage: 100, minDurationMinutes: 60 }], thresholds: { crashRate: 2, errorRate: 60, minNetworks: 1 } });
  const careful = await make({
    name: "Careful, with freeze windows over the weekend and every night",
    description: "What reaches all customers. A fifth first, then half, then everybody.",
    timeZone: "Europe/Berlin",
    freezeWindows: [{ from: "22:00", to: "22:01" }, { days: ["sat"], from: "00:00", to: "00:01" }],
    stages: [
      { percentage: 40, minDevices: 8 },
      { percentage: 70, minDevices: 500, minDurationMinutes: 240, thresholds: { crashRate: 1 } },
      { percentage: 100, minDurationMinutes: 1440 },
    ],
    thresholds: {
      crashRate: 2,
      errorRate: 20,
      minNetworks: 1,
      rollbackScope: "graduated",
      events: [{ name: "payment_failed", rate: 5, direction: "above" }],
    },
  });
  const idle = await make({ name: "Hold on doubt", channel: "production", isActive: false, stages: [{ percentage: 5 }, { percentage: 100 }], thresholds: { errorRate: 3, action: "gate" } });
  return { quick: quick.id, careful: careful.id, idle: idle.id };
}
