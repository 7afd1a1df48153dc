import { axe } from "./support/axe";
import { Devices } from "./support/devices";
import { expect, test } from "./support/test";

interface Incident {
  devices: number;
  erroredDevices: number;
  status: string;
  resolution: string | null;
}

test("an open incident is counted in the navigation, acknowledged, and closed by a person", { tag: "@short" }, async ({ page, project, signIn }) => {
  const devices = await Devices.make(project, 20);
  await project.publish("Good");
  const bad = await project.publish("Bad");
  await devices.report(bad.updateUuid, "crash", 19);
  const only = async () => (await project.call<Incident[]>("GET", "/v1/ota/telemetry/incidents"))[0];
  await expect.poll(only).toMatchObject({ devices: 20, erroredDevices: 20, status: "open" });
  await signIn("editor");
  await page.goto(`/app/${project.slug}/overview`);
  const link = page.getByRole("navigation").getByRole("link", { name: /^Incidents/ }).first();
  await expect(link).toHaveAccessibleName("Incidents 1 open");
  await link.click();
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: /^Bad · 1\.0\.0/ }) });
  await expect(row).toContainText("20 of 20");
  await expect(row).toContainText("100%");
  await expect(row).toContainText("Nobody");
  await axe(page);
  await row.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText("You are handling the incident.")).toBeVisible();
  await expect(row).not.toContainText("Nobody");
  await row.getByRole("button", { name: /^Close: / }).click();
  await expect(page.getByText("The incident is closed.")).toBeVisible();
  await expect(row.getByText("Closed", { exact: true })).toBeVisible();
  await expect(row.getByRole("button", { name: /^Close: / })).toHaveCount(0);
  await expect(link).toHaveAccessibleName("Incidents");
  expect(await only()).toMatchObject({ status: "closed", resolution: "closed_by_person" });
});
