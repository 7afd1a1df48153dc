import { expect, test } from "./support/test";

interface Flag {
  id: number;
  name: string;
}

test("a change of a flag is scheduled, listed and cancelled, and another one is made at its time", async ({ page, project, signIn, request }) => {
  const flag = await project.call<Flag>("POST", "/v1/ota/flags", { name: "Checkout", flagType: "boolean", defaultValue: false });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/flags/${flag.id}`);
  await page.getByRole("button", { name: "Add rule" }).click();
  const builder = page.getByRole("dialog", { name: "New rule" });
  await builder.getByLabel("Matches").selectOption("Users by ID");
  await builder.getByLabel("Flag value").selectOption("On");
  await builder.getByLabel("User IDs").fill("ada");
  await builder.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Review 1 change" }).click();
  const review = page.getByRole("dialog", { name: "What changes" });
  await review.getByRole("radio", { name: "At a time" }).check();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await review.getByLabel(/^Time of the change/).fill(tomorrow);
  await review.getByRole("button", { name: "Schedule" }).click();
  await expect(page.getByText("The change is scheduled.")).toBeVisible();

  const list = page.getByRole("region", { name: "Scheduled changes" });
  await expect(list.getByText("Scheduled", { exact: true })).toBeVisible();
  for (const tab of ["Variations", "Channels", "Rules"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(list, `the tab ${tab} shows it, wherever it was made`).toBeVisible();
  }
  await list.getByRole("button", { name: "Cancel this change" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel this change" }).click();
  await expect(page.getByText("The scheduled change is cancelled.")).toBeVisible();
  await expect(list.getByText("Cancelled", { exact: true })).toBeVisible();

  // The page shows a change that Waft makes.
  const body = { name: "Later", enabled: true, defaultValue: false, variations: [{ name: "On", value: "true" }, { name: "Off", value: "false" }], rules: [] };
  const scheduled = await request.post(new URL(`/v1/ota/flags/${flag.id}/schedule`, page.url()).href, {
    headers: { ...project.headers, "If-Match": "*" },
    data: { at: new Date(Date.now() + 3_000).toISOString(), body },
  });
  expect(scheduled.status()).toBe(201);
  await expect(list.getByText("Made", { exact: true })).toBeVisible();
  expect((await project.call<Flag>("GET", `/v1/ota/flags/${flag.id}`)).name).toBe("Later");
});
