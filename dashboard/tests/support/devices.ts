import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { url, type Project } from "./project";

export interface Execution {
  id: number;
  status: string;
  reason: string;
  stageIndex: number;
  percentage: number;
  health: { devices: number; crashedDevices: number; crashRate: number; launches: number; evidence: number } | null;
}

/** iOS devices that request their release as the app does, and report on it. */
export class Devices {
  readonly ids: string[];

  private constructor(
    private readonly project: Project,
    count: number,
  ) {
    this.ids = Array.from({ length: count }, () => randomUUID());
  }

  /** Creates devices of the project. They share this machine's network, so it is trusted: then each device has its own vote. */
  static async make(project: Project, count: number): Promise<Devices> {
    await project.call("PATCH", "/v1/ota/settings", { trustedNetworks: ["127.0.0.0/8"] });
    return new Devices(project, count);
  }

  /** Returns the devices that are served the release now. */
  async having(updateUuid: string): Promise<string[]> {
    const served = await Promise.all(
      this.ids.map(async (device) => {
        const answer = await this.project.request.get(`${url}/v1/ota/manifest/${this.project.slug}?channel=production`, {
          headers: {
            Accept: "application/expo+json",
            "Expo-Protocol-Version": "1",
            "Expo-Platform": "ios",
            "Expo-Runtime-Version": "1.0.0",
            "Eas-Client-Id": device,
          },
        });
        return answer.status() === 200 && ((await answer.json()) as { id: string }).id === updateUuid;
      }),
    );
    return this.ids.filter((_, index) => served[index]);
  }

  /** Waits until more than `moreThan` devices are served the release, lets them report an event, and returns them. */
  async report(updateUuid: string, event: "app_launch" | "crash", moreThan = 0): Promise<string[]> {
    let having: string[] = [];
    await expect(async () => {
      having = await this.having(updateUuid);
      expect(having.length).toBeGreaterThan(moreThan);
    }).toPass({ intervals: [100] });
    await Promise.all(having.map((device) => this.send(device, updateUuid, event)));
    return having;
  }

  /** Lets a device report an event on a release. */
  async send(deviceId: string, updateUuid: string, event: "app_launch" | "crash") {
    const answer = await this.project.request.post(`${url}/v1/ota/health-metrics`, {
      data: {
        projectSlug: this.project.slug,
        deviceId,
        platform: "ios",
        runtimeVersion: "1.0.0",
        channel: "production",
        updateUuid,
        events: [{ type: event, count: 1 }],
      },
    });
    expect(answer.status(), await answer.text()).toBe(204);
  }
}

/** Publishes a release with the given stages and a last stage for every device. A crash rate above 2% rolls it back. */
export async function rollOut(project: Project, message: string, stages: { percentage: number; minDevices: number; minDurationMinutes: number }[], platform = "ios") {
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: `Policy of ${message}`,
    stages: [...stages, { percentage: 100, minDevices: 0, minDurationMinutes: 0 }],
    thresholds: { crashRate: 2 },
  });
  const release = await project.publish(message, undefined, "production", platform, { rolloutPolicyId: policy.id });
  return { ...release, rollout: release.rolloutExecutionId ?? 0 };
}
