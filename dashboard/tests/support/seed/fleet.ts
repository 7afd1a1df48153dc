import { createHash } from "node:crypto";
import { url, type Project } from "../project";

export interface Phone {
  id: string;
  platform: "ios" | "android";
  channel: string;
  user?: string;
}

export interface Reported {
  type: "app_launch" | "js_error" | "crash" | "custom";
  count: number;
  [name: string]: unknown;
}

/** Returns phones of a platform. Their IDs are the same in every run, so the same phones are inside a rollout. */
export function phones(platform: Phone["platform"], channel: string, count: number): Phone[] {
  return Array.from({ length: count }, (_, index) => ({ id: uuidOf(`${platform}-${channel}-${index}`), platform, channel, user: `user-${index}` }));
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Devices that request releases and report, as an app does. */
export class Fleet {
  constructor(private readonly project: Project) {}

  /** Requests a manifest, and returns the update ID, or null if there is no update. */
  async ask(phone: Phone, runtimeVersion = "1.0.0"): Promise<string | null> {
    const response = await fetch(`${url}/v1/ota/manifest/${this.project.slug}?channel=${encodeURIComponent(phone.channel)}`, {
      headers: {
        accept: "application/expo+json",
        "expo-protocol-version": "1",
        "expo-platform": phone.platform,
        "expo-runtime-version": runtimeVersion,
        "expo-api-version": "1",
        "eas-client-id": phone.id,
        ...(phone.user ? { "client-user-id": phone.user } : {}),
      },
    });
    if (response.status !== 200) {
      await response.arrayBuffer();
      return null;
    }
    return ((await response.json()) as { id: string }).id;
  }

  async report(phone: Phone, updateUuid: string | null, events: Reported[]) {
    const response = await fetch(`${url}/v1/ota/health-metrics`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        projectSlug: this.project.slug,
        deviceId: phone.id,
        channel: phone.channel,
        platform: phone.platform,
        runtimeVersion: "1.0.0",
        updateUuid,
        events: [{ type: "app_launch", count: 1 }, ...events],
      }),
    });
    if (response.status !== 204) throw new Error(`report: ${response.status} ${await response.text()}`);
  }

  /** Lets every phone request a manifest and report the events that `events` returns for it. Returns the update IDs that were served. */
  async start(all: Phone[], events: (phone: Phone, index: number, update: string | null) => Reported[]) {
    const served: (string | null)[] = [];
    await each(all, async (phone, index) => {
      const update = await this.ask(phone);
      served.push(update);
      await this.report(phone, update, events(phone, index, update));
    });
    return served;
  }
}

/** Runs `work` for each item of a list, eight at a time. */
export async function each<T>(list: T[], work: (item: T, index: number) => Promise<unknown>) {
  const queue = list.entries();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}

/** Calls `done` until it returns a value, and returns that value. */
export async function until<T>(what: string, done: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const found = await done();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(`waited two minutes for ${what}`);
}
