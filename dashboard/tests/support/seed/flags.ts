import { url, type Project } from "../project";
import { each } from "./fleet";

/** Creates flags of several types with rules, segments, and contexts that evaluated them. */
export async function seedFlags(project: Project): Promise<{ flag: number; text: number }> {
  await project.call("POST", "/v1/ota/segments", {
    key: "beta-testers",
    name: "Beta testers",
    matchType: "all",
    description: "People of the office and those who asked for it",
    conditions: [{ attribute: "email", operator: "ends_with", valuesJson: ["@example.com"] }, { attribute: "country", operator: "in", valuesJson: ["DE", "AT", "CH"] }],
  });
  await project.call("POST", "/v1/ota/segments", {
    key: "everybody-who-has-bought-more-than-three-times-within-the-last-year",
    name: "Everybody who has bought more than three times within the last year",
    matchType: "any",
    conditions: [{ attribute: "orders", operator: "gt", valuesJson: [3] }],
  });
  const { id: flag } = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "new-checkout", name: "New checkout", description: "One page in place of four" });
  const rules = `/v1/ota/flags/${flag}/rules`;
  await project.call("POST", rules, { ruleType: "user_list", variantValue: "true", ruleConfig: { userIds: ["user-1", "user-2"] } });
  await project.call("POST", rules, { ruleType: "segment", variantValue: "true", ruleConfig: { segmentKey: "beta-testers" } });
  await project.call("POST", rules, { ruleType: "percentage_rollout", channelName: "production", ruleConfig: { rollout: [{ variantValue: "true", weight: 20 }] } });
  const { id: text } = await project.call<{ id: number }>("POST", "/v1/ota/flags", {
    key: "title-of-the-start-screen-in-the-campaign-of-the-autumn-for-all-countries",
    name: "Title of the start screen in the campaign of the autumn for all countries",
    flagType: "string",
    defaultValue: "plain",
    variations: [
      { name: "Plain", value: "plain" },
      { name: "Autumn leaves, with a long name that says much about what it is", value: "autumn" },
      { name: "Winter", value: "winter" },
    ],
  });
  await project.call("POST", `/v1/ota/flags/${text}/rules`, {
    ruleType: "percentage_rollout",
    ruleConfig: { rollout: [{ variantValue: "autumn", weight: 40 }, { variantValue: "winter", weight: 15 }] },
  });
  await each(Array.from({ length: 30 }), (_, index) => project.call("POST", "/v1/ota/flags", { key: `experiment-${index + 1}`, description: "An experiment of the shop" }));
  await evaluate(project);
  await project.call("POST", "/v1/ota/contexts", {
    kind: "user",
    targetingKey: "user-1",
    name: "Ada of quality assurance",
    attributes: { email: "ada@example.com", country: "DE", orders: 12, "signed-up": "2024-02-01" },
  });
  return { flag, text };
}

async function evaluate(project: Project) {
  const evaluations = Array.from({ length: 60 }, (_, index) => ({
    flagKey: index % 3 ? "new-checkout" : "title-of-the-start-screen-in-the-campaign-of-the-autumn-for-all-countries",
    value: index % 3 ? String(index % 5 === 0) : ["plain", "autumn", "winter"][index % 4] ?? "plain",
    count: index + 1,
    channel: "production",
    targetingKey: `user-${index}`,
    context: { targetingKey: `user-${index}`, kind: "user", name: `Customer ${index}`, attributes: { country: ["DE", "AT", "FR"][index % 3], orders: index } },
  }));
  const response = await fetch(`${url}/v1/ota/flag-evaluations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ projectSlug: project.slug, evaluations }),
  });
  if (!response.ok) throw new Error(`evaluations: ${response.status} ${await response.text()}`);
}
