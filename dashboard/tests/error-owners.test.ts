import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { url } from "./support/project";
import { test } from "./support/test";

test("an error is assigned, resolved, noted and opened again", async ({ page, project, signIn }) => {
  const release = (await project.publish("The first")) as unknown as { updateUuid: string };
  const events = [{ type: "crash", count: 1, message: "undefined is not a function", name: "TypeError" }];
  const report = { projectSlug: project.slug, deviceId: `d-${randomUUID()}`, platform: "ios", runtimeVersion: "1.0.0", channel: "production", updateUuid: release.updateUuid, events };
  await expect.poll(async () => (await project.request.post(`${url}/v1/ota/health-metrics`, { data: report })).status()).toBe(204);
  const groups = () => project.call<{ fingerprint: string; status: string; note: string; assigneeName: string | null }[]>("GET", "/v1/ota/observe/groups");
  await expect.poll(async () => (await groups()).length).toBe(1);
  const [group] = await groups();
  await signIn("editor");

  await page.goto(`/app/${project.slug}/observe/${group?.fingerprint}`);
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
  await expect(page.getByText("Resolved by")).toBeVisible();
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByRole("dialog").getByLabel("Note").fill("Fixed in 2.4.1");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("Fixed in 2.4.1")).toBeVisible();
  await page.getByRole("combobox", { name: "Assignee" }).click();
  await page.getByRole("option", { name: /Sam editor/ }).click();
  await expect.poll(async () => (await groups())[0]?.assigneeName).toBe("Sam editor");
  await expect.poll(async () => (await groups())[0]).toMatchObject({ status: "resolved", note: "Fixed in 2.4.1" });

  await page.goto(`/app/${project.slug}/observe?status=resolved&assignee=me`);
  await expect(page.getByRole("link", { name: /TypeError|undefined/ })).toBeVisible();
  await page.goto(`/app/${project.slug}/observe?status=open`);
  await expect(page.getByText("No group matches the filters.")).toBeVisible();

  await page.goto(`/app/${project.slug}/observe/${group?.fingerprint}`);
  await page.getByRole("button", { name: "Reopen" }).click();
  await expect(page.getByRole("button", { name: "Resolve", exact: true })).toBeVisible();
});
