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
