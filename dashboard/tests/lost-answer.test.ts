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
