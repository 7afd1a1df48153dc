import { axe } from "./support/axe";
import { expect, test } from "./support/test";

test("the overview shows for a week that Waft was restored from a backup, and links to the rollouts that it paused", async ({ page, project, signIn }) => {
  await project.publish("The first");
  await signIn("viewer");
  let pausedRollouts = 2;
  await page.route("**/v1/ota/attention", async (route) => {
    const response = await route.fetch();
    const restore = { backedUpAt: "2026-03-14T02:00:05.120Z", restoredAt: "2026-03-14T09:26:53.589Z", pausedRollouts };
    await route.fulfill({ response, json: { ...(await response.json()), restore } });
  });
  await page.goto(`/app/${project.slug}/overview`);
  const note = page.getByRole("region", { name: "Restored from a backup" });
  await expect(note).toContainText(/On .*2026.*, Waft was restored from a backup of .*2026/);
  await expect(note).toContainText("Devices keep newer releases until you publish again.");
  await axe(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await axe(page);
  await note.getByRole("link", { name: "2 rollouts paused since: check and resume" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rollouts" })).toBeVisible();
  await expect(page).toHaveURL(/status=paused/);

  pausedRollouts = 0;
  await page.goto(`/app/${project.slug}/overview`);
  await expect(note).toBeVisible();
  await expect(note.getByRole("link")).toHaveCount(0);
  await page.unroute("**/v1/ota/attention");
  await page.reload();
  await expect(page.getByRole("region", { name: "production" })).toBeVisible();
  await expect(note).toHaveCount(0);
});
