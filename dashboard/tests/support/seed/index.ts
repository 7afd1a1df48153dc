import type { APIRequestContext } from "@playwright/test";
import { Project } from "../project";
import { seedApprovals } from "./approvals";
import { seedFlags } from "./flags";
import { longName, seedReleases } from "./releases";
import { seedSettings } from "./settings";
import { seedWebhooks } from "./webhooks";

/** Creates a project with data for every page, and returns the IDs of the records that record pages show. */
export async function seed(request: APIRequestContext) {
  const project = await Project.make(request, "Groceries of the southern regions, app for customers and couriers");
  const { slug } = project;
  const flags = await seedFlags(project);
  // Releases and settings name it.
  await project.call("POST", "/v1/ota/channels", { name: longName });
  const [{ buildId, ...releases }] = await Promise.all([seedReleases(project, flags.flag), seedSettings(project)]);
  let approvals!: Awaited<ReturnType<typeof seedApprovals>>;
  const webhooks = await seedWebhooks(project, async () => {
    approvals = await seedApprovals(project, buildId);
  });
  return { slug, name: project.name, ...flags, ...releases, ...webhooks, ...approvals };
}

export type Seed = Awaited<ReturnType<typeof seed>>;
