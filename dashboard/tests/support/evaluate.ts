import { url, type Project } from "./project";
import { expect } from "./test";

/** Evaluates the flags for a device, as an app does, so that Waft knows its context. */
export async function evaluate(project: Project, deviceId: string, channel = "production") {
  await expect(async () => {
    const answer = await project.request.post(`${url}/v1/ota/flag-evaluations-bulk`, {
      data: { projectSlug: project.slug, channel, deviceId, platform: "ios", runtimeVersion: "1.0.0" },
    });
    expect(answer.status()).toBe(200);
  }).toPass({ intervals: [100] });
}
