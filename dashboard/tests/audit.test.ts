import { axe } from "./support/axe";
import { expect, test } from "./support/test";

test("the audit log and an approval are sentences with links, reasons and new values", async ({ page, project, signIn }) => {
  const { id } = await project.publish("Faster start");
  await project.call("PATCH", `/v1/ota/updates/${id}`, { rolloutPercentage: 10, reason: "carefully" });
  await signIn("admin");
  await page.goto(`/app/${project.slug}/audit`);
  const row = page.getByRole("row").filter({ hasText: "Rollout percentage: 100% → 10%" });
  await expect(row).toContainText("changed the release “Faster start”");
  await expect(row).toContainText("Carefully");
  await axe(page);
  await row.getByRole("link", { name: /the release “Faster start”/ }).click();
  await expect(page).toHaveURL(new RegExp(`/releases/${id}$`));

  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  const { approval } = await project.call<{ approval: { id: number } }>("PATCH", `/v1/ota/updates/${id}`, { rolloutPercentage: 50, reason: "support asked" });
  await page.goto(`/app/${project.slug}/approvals`);
  await expect(page.getByRole("row").filter({ hasText: "asks to change release" })).toContainText("Reason: support asked");
  await page.goto(`/app/${project.slug}/approvals/${approval.id}`);
  const change = page.getByRole("region", { name: "The change" });
  await expect(change).toContainText("Reason: support asked");
  await expect(change).toContainText("Rollout percentage");
  await expect(change).not.toContainText("{");
  await axe(page);
  await change.getByRole("link", { name: "Open what it changes" }).click();
  await expect(page).toHaveURL(new RegExp(`/releases/${id}$`));
});

test("changed rules and defaults of a flag are told by the names of its variations", async ({ page, project, signIn }) => {
  const flag = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "checkout", flagType: "boolean" });
  const variations = [{ name: "New checkout", value: "true" }, { name: "Old checkout", value: "false" }];
  const split = { ruleType: "attribute", ruleConfig: { conditions: [{ attribute: "platform", operator: "eq", values: ["ios"] }], rollout: [{ variantValue: "true", weight: 10 }] } };
  const save = (body: object) => project.call("PUT", `/v1/ota/flags/${flag.id}`, { name: "checkout", enabled: true, variations, ...body }, { headers: { "If-Match": "*" } });
  await save({ defaultValue: false, rules: [split] });
  await save({ defaultValue: true, rules: [] });
  await signIn("admin");
  await page.goto(`/app/${project.slug}/audit`);
  const rule = /10% of devices whose platform is ios get New checkout; 90% continue to the next rule, or get the default after the last rule\./;
  await expect(page.getByRole("row").filter({ hasText: "Added rule 1: " })).toContainText(rule);
  const last = page.getByRole("row").filter({ hasText: "Deleted rule 1: " });
  await expect(last).toContainText(rule);
  await expect(last).toContainText("Default: Old checkout → New checkout");
});
