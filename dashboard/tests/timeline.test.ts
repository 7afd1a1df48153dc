import { Devices } from "./support/devices";
import { expect, test } from "./support/test";

interface Rollout {
  timeline: { reason: string; runsUntil: string | null }[];
}

test("after a hold, the timeline shows the end of the stage's minimum time in the person's zone", async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 8);
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: "Gate",
    stages: [{ percentage: 100, minDevices: 1, minDurationMinutes: 600 }],
    thresholds: { crashRate: 50, action: "gate", method: "point", minNetworks: 1 },
  });
  const release = await project.publish("Slow start", undefined, "production", "ios", { rolloutPolicyId: policy.id });
  const path = `/v1/ota/rollout-executions/${release.rolloutExecutionId}` as const;
  const told = async () => (await project.call<Rollout>("GET", path)).timeline.at(-1);
  await expect.poll(async () => (await devices.having(release.updateUuid)).length).toBe(8);
  await devices.send(devices.ids[0]!, release.updateUuid, "crash");
  await expect.poll(async () => (await told())?.reason).toContain("is held");
  await devices.report(release.updateUuid, "app_launch");
  await expect.poll(async () => (await told())?.runsUntil ?? null).not.toBeNull();
  expect((await told())?.reason).toMatch(/runs until at least .* UTC$/);

  await signIn();
  await page.goto(`/app/${project.slug}/rollouts/${release.rolloutExecutionId}`);
  const event = page.getByRole("region", { name: "Timeline" }).getByRole("listitem").first();
  await expect(event).toContainText(/Stage 1 of 1 \(100%\) runs until at least \d+ \w+ \d{4}, \d\d:\d\d:\d\d/);
  await expect(event).not.toContainText("UTC");
});
