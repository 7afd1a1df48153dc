import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { url, type Project } from "./project";

/**
 * Creates a record of every kind in the project, so that every page has data. Returns the addresses of the records' pages below
 * the project's address.
 */
export async function makeRecords(project: Project): Promise<string[]> {
  const first = await project.publish("The first");
  const release = (await project.publish("The second")) as unknown as { id: number; updateUuid: string };
  const [policy, flag, webhook] = await Promise.all([
    project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
      name: "Careful",
      stages: [{ percentage: 10, minDurationMinutes: 60 }, { percentage: 100 }],
      thresholds: { crashRate: 1 },
    }),
    project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "dark-mode", name: "Dark mode" }),
    project.call<{ id: number }>("POST", "/v1/ota/webhooks", { url: "https://example.com/hook", events: ["build.published"] }),
    project.call("POST", "/v1/ota/segments", {
      name: "Beta",
      matchType: "all",
      conditions: [{ attribute: "platform", operator: "eq", valuesJson: ["ios"] }],
    }),
    project.call("POST", "/v1/ota/user-overrides", { userId: "u-1", branchName: "production" }),
    project.call("POST", "/v1/ota/api-keys", { name: "CI", role: "editor" }),
  ]);
  const device = `d-${randomUUID()}`;
  const base = { projectSlug: project.slug, deviceId: device, platform: "ios", runtimeVersion: "1.0.0", channel: "production" };
  const ask = () =>
    project.request.get(`${url}/v1/ota/manifest/${project.slug}?channel=production`, {
      headers: { "Eas-Client-Id": device, "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", Accept: "multipart/mixed", "Expo-Protocol-Version": "1" },
    });
  // Devices are served a release a moment after it is published.
  await expect.poll(async () => (await ask()).status(), { intervals: [50] }).toBe(200);
  const events = [
    { type: "app_launch", count: 1 },
    { type: "crash", count: 1, message: "undefined is not a function", name: "TypeError" },
  ];
  const reported = await project.request.post(`${url}/v1/ota/health-metrics`, { data: { ...base, updateUuid: release.updateUuid, events } });
  expect(reported.status(), await reported.text()).toBe(204);
  const execution = await project.call<{ id: number }>("POST", "/v1/ota/rollout-executions", { policyId: policy.id, updateId: release.id });
  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  await project.call("PATCH", "/v1/ota/channels/production", { isPaused: true });
  const [approval] = await project.call<{ id: number }[]>("GET", "/v1/ota/approvals");
  let group: { fingerprint: string } | undefined;
  await expect
    .poll(async () => {
      [group] = await project.call<{ fingerprint: string }[]>("GET", "/v1/ota/observe/groups");
      return group;
    })
    .toBeTruthy();
  return [
    `releases/${release.id}`,
    `releases/compare?release=${release.id}&with=${first.id}`,
    `rollouts/${execution.id}`,
    `policies/${policy.id}`,
    `flags/${flag.id}`,
    `observe/${group?.fingerprint}`,
    `devices/${device}`,
    `webhooks/${webhook.id}`,
    `approvals/${approval?.id}`,
  ];
}
