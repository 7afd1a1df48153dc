import { axe } from "./support/axe";
import { atContent, pressOn, takesKeyboard, typeInto } from "./support/keyboard";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

test("a call is approved in the list with the keyboard alone, with a comment, and your own call has no button", async ({ page, project, signIn, playwright }) => {
  const release = await project.publish("Faster start", undefined, "production", "ios", { rolloutPercentage: 10 });
  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  await signIn("editor");
  const elsewhere = await playwright.request.newContext();
  const { token } = await project.invite("editor");
  await elsewhere.post(`${url}/v1/auth/invitations/accept`, { data: { token, name: "Colleague", password } });
  const ask = async (from: typeof elsewhere, body: object) => {
    const answer = await from.patch(`${url}/v1/ota/updates/${release.id}`, { data: body, headers: { "X-Project": project.slug, Origin: url } });
    expect(answer.status(), await answer.text()).toBe(202);
  };
  await ask(elsewhere, { rolloutPercentage: 50, reason: "Support is content" });
  await ask(page.request, { isCritical: true });
  await elsewhere.dispose();

  await page.goto(`/app/${project.slug}/overview`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1, name: "Approvals" })).toBeVisible();
  await atContent(page);
  const approve = page.getByRole("button", { name: /^Approve: / });
  await expect(approve, "only the colleague's call").toHaveCount(1);
  await pressOn(page, approve);
  const dialog = page.getByRole("dialog", { name: "Approve the change" });
  await takesKeyboard(dialog);
  await expect(dialog).toContainText("Reason: Support is content");
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("50%");
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(approve).toBeFocused();

  await page.keyboard.press("Enter");
  await takesKeyboard(dialog);
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("50%");
  await typeInto(page, dialog.getByLabel("Reason"), "The crash rate is fine");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You approved the change.")).toBeVisible();
  await expect(approve).toHaveCount(0);
  expect((await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${release.id}`)).rolloutPercentage).toBe(50);
  const approvals = await project.call<{ approvals: { comment: string }[] }[]>("GET", "/v1/ota/approvals");
  expect(approvals.flatMap((each) => each.approvals.map(({ comment }) => comment))).toEqual(["The crash rate is fine"]);
});

test("a call is approved in the list on a phone", async ({ page, project, signIn }) => {
  const release = await project.publish("Faster start", undefined, "production", "ios", { rolloutPercentage: 10 });
  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  await project.call("PATCH", `/v1/ota/updates/${release.id}`, { rolloutPercentage: 50 });
  await signIn("editor");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/app/${project.slug}/approvals`);
  await page.getByRole("button", { name: /^Approve: / }).click();
  const dialog = page.getByRole("dialog", { name: "Approve the change" });
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("50%");
  await axe(page);
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You approved the change.")).toBeVisible();
  expect((await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${release.id}`)).rolloutPercentage).toBe(50);
});
