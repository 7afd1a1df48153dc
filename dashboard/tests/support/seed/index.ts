import type { APIRequestContext } from "@playwright/test";
import { Project } from "../project";
import { seedApprovals } from "./approvals";
import { seedFlags } from "./flags";
import { seedReleases } from "./releases";
import { seedSettings } from "./settings";
import { seedWebhooks } from "./webhooks";

/** The project that every page shows something of, and the records that pages of one record show. */
export async function seed(request: APIRequestContext) {
  const project = await Project.make(request);
  const { slug } = project;
  const flags = await seedFlags(project);
  let releases!: Awaited<ReturnType<typeof seedReleases>>;
  const webhooks = await seedWebhooks(project, async () => {
    releases = await seedReleases(project, flags.flag);
  });
  await seedSettings(project);
  const [newest] = await project.call<{ buildId: number }[]>("GET", "/v1/ota/updates?limit=1");
  const approvals = await seedApprovals(project, newest?.buildId ?? 0);
  return { slug, name: project.name, ...flags, ...releases, ...webhooks, ...approvals };
}

export type Seed = Awaited<ReturnType<typeof seed>>;
