import { randomUUID } from "node:crypto";
import { Devices, rollOut, type Execution } from "./support/devices";
import { expect, test } from "./support/test";

test("a command whose response is lost may have gone through, and is not applied twice when it is sent again", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "Suspect", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  const path = `/v1/ota/rollout-executions/${rollout}`;
  await signIn("editor");
  await page.goto(`/app/${project.slug}/rollouts/${rollout}`);
  // The server gets the command, but its response does not arrive.
  await page.route(
    `**${path}/pause`,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause" });
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(dialog.getByText("This may have gone through.")).toBeVisible();
  expect((await project.call<Execution>("GET", path)).status).toBe("paused");

  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(dialog).toHaveCount(0);
  const entries = await project.call<unknown[]>("GET", "/v1/ota/audit-log?action=rollout.paused");
  expect(entries).toHaveLength(1);
});

test("a rollback of both platforms keeps both after its response is lost, and is not applied twice", async ({ page, project, signIn }) => {
  for (const message of ["Good", "Bad"]) {
    const groupId = randomUUID();
    for (const platform of ["ios", "android"]) await project.publish(message, undefined, "production", platform, { groupId });
  }
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  await page.route(
    "**/v1/ota/rollback",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: /^Roll back production · iOS/ }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(dialog.getByRole("radio", { name: "iOS and Android" })).toBeChecked();
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(dialog.getByText("This may have gone through.")).toBeVisible();
  // The page knows of the rollback: its replacement would be turned off.
  await expect(dialog.getByRole("region", { name: "What this does" })).toContainText("Good · Android · 1.0.0: 100% of devices → off");
  await expect(dialog.getByRole("radio", { name: "iOS and Android" })).toBeChecked();
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(dialog).toHaveCount(0);
  const entries = await project.call<unknown[]>("GET", "/v1/ota/audit-log?action=update.rollback");
  expect(entries, "one per platform").toHaveLength(2);
});
