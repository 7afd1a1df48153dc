import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { url, type Project } from "./project";

export interface Execution {
  id: number;
  status: string;
  reason: string;
  stageIndex: number;
  percentage: number;
  health: { devices: number; crashedDevices: number; crashRate: number; launches: number } | null;
}

/** Devices of iOS that ask for their update as the app does, and report what happens with it. */
export class Devices {
  readonly ids: string[];

  private constructor(
    private readonly project: Project,
    count: number,
  ) {
    this.ids = Array.from({ length: count }, () => randomUUID());
  }

  /** Devices of the project. They are all on this machine, so each gets a vote of its own. */
  static async make(project: Project, count: number): Promise<Devices> {
    await project.call("PATCH", "/v1/ota/settings", { trustedNetworks: ["127.0.0.0/8"] });
    return new Devices(project, count);
  }

  /** The devices that are served the update now. */
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

  /** Waits until more than so many devices are served the update, and lets these report an event. */
  async report(updateUuid: string, event: "app_launch" | "crash", moreThan = 0): Promise<string[]> {
    let having: string[] = [];
    await expect(async () => {
      having = await this.having(updateUuid);
      expect(having.length).toBeGreaterThan(moreThan);
    }).toPass({ intervals: [100] });
    await Promise.all(
      having.map(async (deviceId) => {
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
      }),
    );
    return having;
  }
}

/** Publishes a release in stages, with one for everybody as the last; more than 2 % of crashing devices take it back. */
export async function rollOut(project: Project, message: string, stages: { percentage: number; minDevices: number; minDurationMinutes: number }[]) {
  const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", {
    name: `Policy of ${message}`,
    stages: [...stages, { percentage: 100, minDevices: 0, minDurationMinutes: 0 }],
    thresholds: { crashRate: 2 },
  });
  const release = await project.publish(message, undefined, "production", "ios", { rolloutPolicyId: policy.id });
  return { ...release, rollout: release.rolloutExecutionId ?? 0 };
}
