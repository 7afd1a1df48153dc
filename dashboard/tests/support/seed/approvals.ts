import { url, type Project } from "../project";
import { longName } from "./releases";
import { join } from "./settings";

/** Creates a protected channel with pending approvals and a rejected approval. */
export async function seedApprovals(project: Project, buildId: number): Promise<{ approval: number }> {
  await project.call("PATCH", "/v1/ota/channels/staging", { isProtected: true, requiredApprovals: 2 });
  const publish = (releaseMessage: string) =>
    project.call<{ approval: { id: number } }>("POST", "/v1/ota/updates", { buildId, channel: "staging", releaseMessage, rolloutPercentage: 20 });
  const { approval: refused } = await publish("Not this one");
  const { approval: waiting } = await publish(`Wait for two people: ${longName}`);
  await project.call("PATCH", "/v1/ota/channels/staging", { minRuntimeVersion: "1.2.0" });
  await decide(project, refused.id, "reject", "Rita", "The build is of the wrong branch.");
  await decide(project, waiting.id, "approve", "Ada", "Read the diff, looks right.");
  return { approval: waiting.id };
}

/** Lets a new editor approve or reject a call that waits. */
export async function decide(project: Project, id: number, verdict: "approve" | "reject", name: string, comment: string) {
  const { cookie } = await join(project, "editor", name);
  const response = await fetch(`${url}/v1/ota/approvals/${id}/${verdict}`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Project": project.slug, Origin: url, Cookie: cookie.split(";")[0] ?? "" },
    body: JSON.stringify({ comment }),
  });
  if (!response.ok) throw new Error(`${verdict}: ${response.status} ${await response.text()}`);
}
