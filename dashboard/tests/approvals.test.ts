import { axe } from "./support/axe";
import { evaluate } from "./support/evaluate";
import { atContent, pressOn, takesKeyboard, typeInto } from "./support/keyboard";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

test("a call is approved in the list with the keyboard alone, with a comment, and your own call has no button", { tag: "@short" }, async ({ page, project, signIn, playwright }) => {
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

test("approvals of flags and segments show the effect of the call, and do not say that it waits for approvals", async ({ page, project, signIn }) => {
  const values = { defaultValue: true, variations: [{ name: "On", value: "true" }, { name: "Off", value: "false" }] };
  const flag = await project.call<{ id: number }>("POST", "/v1/ota/flags", { key: "checkout", flagType: "boolean", defaultValue: true });
  const segment = await project.call<{ id: number; key: string }>("POST", "/v1/ota/segments", {
    name: "Testers",
    matchType: "all",
    conditions: [{ attribute: "channel", operator: "eq", valuesJson: ["production"] }],
  });
  await project.call("POST", `/v1/ota/flags/${flag.id}/rules`, { ruleType: "segment", ruleConfig: { segmentKey: segment.key }, variantValue: "true" });
  await project.publish("Stable");
  for (const deviceId of ["a", "b"]) await evaluate(project, deviceId);
  await expect.poll(async () => (await project.call<unknown[]>("GET", "/v1/ota/contexts")).length).toBe(2);
  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  const asked = async (method: string, path: string, body: object) => {
    const { approval } = await project.call<{ approval: { id: number } }>(method, path, body, { headers: { "If-Match": "*" } });
    return approval.id;
  };
  const body = {
    ...values,
    name: "checkout",
    enabled: true,
    rules: [
      { ruleType: "user_list", ruleConfig: { userIds: "ada,ben" }, variantValue: "true" },
      { ruleType: "attribute", ruleConfig: { conditions: [{ attribute: "platform", operator: "eq", values: ["ios"] }], rollout: [{ variantValue: "false", weight: 100 }] } },
    ],
  };
  const saved = await asked("PUT", `/v1/ota/flags/${flag.id}`, body);
  const change = { at: new Date(Date.now() + 3_600_000).toISOString(), body };
  const scheduled = await asked("POST", `/v1/ota/flags/${flag.id}/schedule`, change);
  const moved = await asked("PATCH", `/v1/ota/segments/${segment.id}`, { conditions: [{ attribute: "channel", operator: "eq", valuesJson: ["staging"] }] });

  await signIn("admin");
  const effect = page.getByRole("region", { name: "Effect if applied now" });
  for (const id of [saved, scheduled]) {
    await page.goto(`/app/${project.slug}/approvals/${id}`);
    await expect(effect).toContainText("2 devices will get another flag value");
    await expect(effect).toContainText("2 devices: On → Off");
    await expect(effect).not.toContainText("wait for approvals");
  }
  await page.goto(`/app/${project.slug}/approvals/${moved}`);
  await expect(effect).toContainText("checkout: a rule uses this segment");
  await expect(effect).not.toContainText("wait for approvals");
  await page.goto(`/app/${project.slug}/approvals`);
  await page.getByRole("button", { name: /^Approve: / }).last().click();
  const dialog = page.getByRole("dialog", { name: "Approve the change" });
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("2 devices: On → Off");
});

test("approvals of a part of a flag show the effect on the whole flag", async ({ page, project, signIn }) => {
  const flag = await project.call<{ id: number; variations: { id: number; value: string }[] }>("POST", "/v1/ota/flags", { key: "checkout", flagType: "boolean", defaultValue: true });
  const inOrder = { ruleType: "user_list", ruleConfig: { userIds: ["a"] }, variantValue: "false" };
  const rule = await project.call<{ id: number }>("POST", `/v1/ota/flags/${flag.id}/rules`, inOrder);
  await project.call("PATCH", `/v1/ota/flags/${flag.id}`, { enabled: true });
  for (const deviceId of ["a", "b", "c"]) await evaluate(project, deviceId);
  await expect.poll(async () => (await project.call<unknown[]>("GET", "/v1/ota/contexts")).length).toBe(3);
  await project.call("PATCH", "/v1/ota/channels/production", { isProtected: true, requiredApprovals: 1 });
  const asked = async (method: string, path: string, body?: object) => (await project.call<{ approval: { id: number } }>(method, path, body)).approval.id;
  const ios = { conditions: [{ attribute: "platform", operator: "eq", values: ["ios"] }], rollout: [{ variantValue: "false", weight: 100 }] };
  const shown: [id: number, effect: string[]][] = [
    [await asked("POST", `/v1/ota/flags/${flag.id}/rules`, { ruleType: "attribute", ruleConfig: ios }), ["2 devices will get another flag value", "2 devices: On → Off"]],
    [await asked("PATCH", `/v1/ota/flags/${flag.id}/rules/${rule.id}`, { ruleConfig: { userIds: ["b", "c"] } }), ["1 device: Off → On", "2 devices: On → Off"]],
    [await asked("DELETE", `/v1/ota/flags/${flag.id}/rules/${rule.id}`), ["1 device: Off → On"]],
    [await asked("PATCH", `/v1/ota/flags/${flag.id}`, { defaultValue: false }), ["2 devices: On → Off"]],
    [await asked("POST", "/v1/ota/flags", { key: "other", flagType: "boolean", defaultValue: false, enabled: true }), ["3 devices will get a value of the new flag", "3 devices: no value → Off"]],
  ];
  await signIn("admin");
  const effect = page.getByRole("region", { name: "Effect if applied now" });
  for (const [id, sentences] of shown) {
    await page.goto(`/app/${project.slug}/approvals/${id}`);
    for (const sentence of sentences) await expect(effect).toContainText(sentence);
  }
  await page.goto(`/app/${project.slug}/approvals/${shown[0]![0]}`);
  await expect(page.getByRole("region", { name: "The change" })).toContainText("100% of devices whose platform is ios get Off.");
});
