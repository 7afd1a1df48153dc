import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Project } from "../project";
import { until } from "./fleet";

/** Creates a webhook whose messages arrive, a webhook whose receiver refuses them, and a disabled webhook. `work` causes messages. */
export async function seedWebhooks(project: Project, work: () => Promise<unknown>): Promise<{ webhook: number; failing: number }> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.statusCode = request.url?.startsWith("/refuses") ? 500 : 200;
    response.end(response.statusCode === 200 ? '{"taken": true}' : "The database is unavailable.");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  try {
    const make = (body: object) => project.call<{ id: number }>("POST", "/v1/ota/webhooks", body);
    const taken = await make({ url: `${base}/hooks/releases`, events: ["*"], description: "The team's build room" });
    const refused = await make({
      url: `${base}/refuses/a/very/long/path/of/a/receiver/behind/a/gateway/of/another/department`,
      events: ["*"],
      description: "The gateway of another department, which has a long description so that lines wrap",
    });
    await make({ url: "https://hooks.example.com/services/T000/B000/XXXX", events: ["*"], format: "slack", isActive: false });
    await work();
    const deliveries = (id: number, query = "") => project.call<unknown[]>("GET", `/v1/ota/webhooks/${id}/deliveries${query}`);
    await project.call("POST", `/v1/ota/webhooks/${taken.id}/test`);
    await until("deliveries that arrived and that failed", async () => {
      const waiting = [...(await deliveries(taken.id, "?status=pending")), ...(await deliveries(refused.id, "?status=pending"))];
      return waiting.length === 0 && (await deliveries(taken.id)).length > 0 && (await deliveries(refused.id, "?status=failed")).length > 0;
    });
    // The receiver stops now, so the webhooks must not get messages for later changes.
    for (const { id } of [taken, refused]) await project.call("PATCH", `/v1/ota/webhooks/${id}`, { events: ["build.deleted", "policy.deleted"] });
    return { webhook: taken.id, failing: refused.id };
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}
