import { url, type Project } from "../project";
import { decide } from "./approvals";
import { Fleet, phones, until, type Phone, type Reported } from "./fleet";

// Column 10 of the bundle's only line is line 14 of cart.js.
const bundle = "/* app */ throw x";
const cart = [
  "import { currency } from './currency';", "", "/** Returns the sum of the cart in the currency of the customer. */", "export function totalOf(items) {",
  "  let total = 0;", "  for (const item of items) {", "    total += priceOf(item) * item.count;", "  }", "  return currency(total);", "}", "",
  "/** Returns the price of an item, with the discount of the week. */", "function priceOf(item) {", "  return item.discount.cents / 100;", "}", "",
].join("\n");
const map = JSON.stringify({ version: 3, sources: ["/app/src/screens/cart.js", "/app/index.js"], sourcesContent: [cart, "\n"], names: [], mappings: "AAAA,UAaA" });

const error: Reported = {
  type: "js_error",
  count: 1,
  errorName: "TypeError",
  message: "Cannot read property 'cents' of undefined",
  stackTrace: "TypeError: Cannot read property 'cents' of undefined\n    at priceOf (index.bundle:1:11)\n    at map (native)",
  tags: { screen: "cart" },
};
const crash: Reported = { type: "crash", count: 1, isFatal: true, errorName: "RangeError", message: "Maximum call stack size exceeded", stackTrace: "RangeError: Maximum call stack size exceeded\n    at start (index.bundle:1:11)" };

interface Execution {
  id: number;
  status: string;
  updateId: number;
  stageIndex: number;
}

/** Fills the project of the documentation's screenshots: a rollout that waits, a rollout that was rolled back, an error, an approval and a flag. */
export async function seedShop(project: Project) {
  const fleet = new Fleet(project);
  const executionOf = async ({ id }: { id: number }) =>
    (await project.call<Execution[]>("GET", "/v1/ota/rollout-executions")).find(({ updateId }) => updateId === id);
  /** Lets phones report until the rollout of a release is where `done` says. */
  const rollOut = (release: { id: number; updateUuid: string }, all: Phone[], events: (inside: boolean, index: number) => Reported[], done: (execution: Execution) => boolean) =>
    until("a rollout", async () => {
      await fleet.start(all, (_phone, index, update) => events(update === release.updateUuid, index));
      const execution = await executionOf(release);
      return execution && done(execution) && execution;
    });

  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "Careful",
    stages: [{ percentage: 25, minDevices: 12 }, { percentage: 50, minDevices: 500, minDurationMinutes: 60 }, { percentage: 100, minDurationMinutes: 240 }],
    thresholds: { crashRate: 1, errorRate: 25, minNetworks: 1, action: "auto-rollback" },
  });
  const flag = await seedFlag(project);

  const menu = await project.publish("Winter menu", bundle);
  await project.request.fetch(`${url}/v1/ota/builds/${menu.build.id}/sourcemap`, {
    method: "PUT",
    headers: { ...project.headers, "Content-Type": "application/octet-stream" },
    data: map,
  });
  await project.publish("Winter menu", "/* android */", "production", "android");
  await fleet.start(phones("ios", "production", 80), (_phone, index) => (index % 9 ? [] : [error]));
  await fleet.start(phones("android", "production", 80), () => []);

  const start = await project.publish("Faster start", "/* crashes */", "production", "android", { rolloutPolicyId: policy.id });
  const rolledBack = await rollOut(start, phones("android", "production", 80), (inside, index) => (inside && index % 3 === 0 ? [crash] : []), ({ status }) => status === "rolled_back");
  const checkout = await project.publish("Checkout on one page", "/* checkout */", "production", "ios", { rolloutPolicyId: policy.id, linkedFlags: [{ flagId: flag, enabled: true }] });
  const running = await rollOut(checkout, phones("ios", "production", 80), () => [], ({ stageIndex }) => stageIndex === 1);

  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 2 });
  const { approval } = await project.call<{ approval: { id: number } }>("POST", "/v1/ota/updates", {
    buildId: menu.build.id, channel: "production", releaseMessage: "Prices with tax", rolloutPolicyId: policy.id,
  });
  await decide(project, approval.id, "approve", "Ada", "Read the diff, looks right.");
  const { fingerprint } = await until("a group of errors", async () =>
    (await project.call<{ fingerprint: string; culprit: string }[]>("GET", "/v1/ota/observe/groups")).find(({ culprit }) => culprit.includes("cart.js")));
  return { running: running.id, rolledBack: rolledBack.id, fingerprint, approval: approval.id, flag };
}

/** Creates the flag that the rollout's release turns on. */
async function seedFlag(project: Project): Promise<number> {
  await project.call("POST", "/v1/ota/segments", {
    key: "beta-testers", name: "Beta testers", matchType: "all", conditions: [{ attribute: "email", operator: "ends_with", valuesJson: ["@example.com"] }],
  });
  const { id } = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "new-checkout", name: "New checkout", description: "One page instead of four" });
  const rules = `/v1/ota/flags/${id}/rules`;
  await project.call("POST", rules, { ruleType: "segment", variantValue: "true", ruleConfig: { segmentKey: "beta-testers" } });
  await project.call("POST", rules, { ruleType: "percentage_rollout", channelName: "production", ruleConfig: { rollout: [{ variantValue: "true", weight: 20 }] } });
  return id;
}
