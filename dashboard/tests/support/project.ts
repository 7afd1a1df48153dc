import { randomUUID } from "node:crypto";
import { expect, type APIRequestContext } from "@playwright/test";

export const url = process.env.WAFT_URL ?? "";
const rootKey = process.env.WAFT_ROOT_KEY ?? "";

export const password = "correct horse battery staple";

export type Role = "viewer" | "editor" | "admin";

/** A project for a single test, which uses it with the root key. */
export class Project {
  constructor(
    readonly request: APIRequestContext,
    readonly slug: string,
    readonly name: string,
  ) {}

  static async make(request: APIRequestContext, name?: string): Promise<Project> {
    const slug = `p${randomUUID().slice(0, 12)}`;
    const project = new Project(request, slug, name ?? `Project ${slug}`);
    await project.call("POST", "/v1/ota/projects", { name: project.name, slug }, { project: false });
    // Devices can use the project a moment later. From then on, the response is 400, because the platform is missing.
    await expect.poll(async () => (await request.get(`${url}/v1/ota/manifest/${slug}?channel=production`)).status(), { intervals: [20, 50, 100] }).toBe(400);
    return project;
  }

  /** Headers for a request as an admin of the project. */
  get headers(): Record<string, string> {
    return { Authorization: `Bearer ${rootKey}`, "X-Project": this.slug };
  }

  /** Calls the API as an admin of the project, and fails unless the status is 2xx. */
  async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown, options: { project?: boolean; headers?: Record<string, string> } = {}): Promise<T> {
    const response = await this.request.fetch(url + path, {
      method,
      data: body,
      headers: { Authorization: `Bearer ${rootKey}`, ...(options.project === false ? {} : { "X-Project": this.slug }), ...options.headers },
    });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return (response.status() === 204 ? undefined : await response.json()) as T;
  }

  /** Uploads a bundle with the given content as a build. `more` is added to the fields of the form. */
  async upload(message: string, bundle = `console.log(${JSON.stringify(message)})`, platform = "ios", more: Record<string, string> = {}) {
    const response = await this.request.fetch(`${url}/v1/ota/builds`, {
      method: "POST",
      headers: this.headers,
      multipart: {
        platform,
        runtimeVersion: "1.0.0",
        message,
        ...more,
        bundle: { name: "index.js", mimeType: "application/javascript", buffer: Buffer.from(bundle) },
      },
    });
    if (!response.ok()) throw new Error(`upload: ${response.status()} ${await response.text()}`);
    return (await response.json()) as { id: number; assets: { key: string; isLaunchAsset: boolean }[] };
  }

  /** Uploads a bundle with the given content, and publishes it to every device on a channel. `more` is added to the release. */
  async publish(message: string, bundle?: string, channel = "production", platform = "ios", more: Record<string, unknown> = {}) {
    const build = await this.upload(message, bundle, platform);
    const release = await this.call<{ id: number; updateUuid: string; rolloutExecutionId: number | null }>("POST", `/v1/ota/updates`, {
      buildId: build.id,
      channel,
      releaseMessage: message,
      ...more,
    });
    return { ...release, build };
  }

  /** Invites a new person, and returns the link and their address. */
  async invite(role: Role): Promise<{ link: string; token: string; email: string }> {
    const email = `p${randomUUID()}@example.com`;
    const { url } = await this.call<{ url: string }>("POST", "/v1/ota/invitations", { email, role });
    return { link: url, token: url.split("#")[1] ?? "", email };
  }
}
