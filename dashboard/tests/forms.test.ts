import { axe } from "./support/axe";
import { expect, test } from "./support/test";

test("an error from the API is shown at its field, which receives focus", { tag: "@short" }, async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/settings/publishers`);
  await page.getByRole("button", { name: "New publisher" }).first().click();
  const dialog = page.getByRole("dialog");
  const issuer = dialog.getByLabel("Issuer");
  await issuer.fill("http://tokens.example.com");
  await dialog.getByLabel("Claims").fill("repository = acme/app");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(issuer).toBeFocused();
  await expect(issuer).toHaveAccessibleDescription(/must be an https URL/);

  await page.goto(`/app/${project.slug}/settings/project`);
  const networks = page.getByLabel("Trusted networks");
  await networks.fill("10.0.0.0/8\nnowhere");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(networks).toBeFocused();
  await expect(networks).toHaveAccessibleDescription(/nowhere|network/);
  await networks.fill("10.0.0.0/8");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await project.call<{ trustedNetworks: string[] }>("GET", "/v1/ota/settings")).trustedNetworks).toEqual(["10.0.0.0/8"]);
});

test("a changed form asks before you leave it", { tag: "@short" }, async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/flags`);
  await page.getByRole("button", { name: "New flag" }).first().click();
  const key = page.getByRole("dialog").getByLabel("Key");
  await expect(key).toBeFocused();
  await key.fill("dark-mode");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard the changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toHaveCount(0);
  await expect(key).toHaveValue("dark-mode");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.goto(`/app/${project.slug}/policies/new`);
  await page.getByLabel("Name").fill("Careful");
  await page.getByRole("link", { name: "Releases" }).first().click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(/policies\/new$/);
  await page.getByRole("link", { name: "Releases" }).first().click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(/releases$/);
});

test("a concurrent change is not overwritten without asking: settings, a webhook, a segment", async ({ page, project, signIn }) => {
  await signIn();
  // The event stream is blocked, so that the page learns of the other change only when it saves.
  await page.route("**/v1/ota/stream", (route) => route.abort());
  const overtaken = page.getByRole("alert").filter({ hasText: "Someone else saved first" });
  const save = page.getByRole("button", { name: "Save" });

  const settings = () => project.call<{ hashIds: boolean; trustedNetworks: string[]; buildRetentionDays: number | null }>("GET", "/v1/ota/settings");
  await page.goto(`/app/${project.slug}/settings/project`);
  const networks = page.getByLabel("Trusted networks");
  await networks.fill("10.0.0.0/8");
  await project.call("PATCH", "/v1/ota/settings", { trustedNetworks: ["192.0.2.0/24"], hashIds: true });
  await save.click();
  await expect(overtaken).toBeVisible();
  await axe(page);
  expect((await settings()).trustedNetworks).toEqual(["192.0.2.0/24"]);
  await overtaken.getByRole("button", { name: "Keep my changes" }).click();
  await expect(page.getByLabel("Store only hashes of device IDs")).toBeChecked();
  await save.click();
  await expect.poll(settings).toMatchObject({ hashIds: true, trustedNetworks: ["10.0.0.0/8"] });

  await page.goto(`/app/${project.slug}/settings/retention`);
  const days = page.getByLabel("Builds, in days");
  await days.fill("30");
  await project.call("PATCH", "/v1/ota/settings", { buildRetentionDays: 60 });
  await save.click();
  await overtaken.getByRole("button", { name: "Use their version" }).click();
  await expect(days).toHaveValue("60");
  await expect(overtaken).toHaveCount(0);

  const webhook = await project.call<{ id: number }>("POST", "/v1/ota/webhooks", { url: "https://example.com/hook", description: "Chat", events: ["*"] });
  await page.goto(`/app/${project.slug}/webhooks/${webhook.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Description").fill("Our chat");
  await project.call("PATCH", `/v1/ota/webhooks/${webhook.id}`, { isActive: false });
  await save.click();
  await expect(overtaken).toBeVisible();
  await axe(page);
  await overtaken.getByRole("button", { name: "Keep my changes" }).click();
  await expect(dialog.getByLabel("Active: receives messages")).not.toBeChecked();
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect(await project.call("GET", `/v1/ota/webhooks/${webhook.id}`)).toMatchObject({ description: "Our chat", isActive: false });

  const condition = { attribute: "country", operator: "in", valuesJson: ["DE"] };
  const segment = await project.call<{ id: number }>("POST", "/v1/ota/segments", { name: "Testers", matchType: "all", conditions: [condition] });
  await page.goto(`/app/${project.slug}/segments`);
  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Description").fill("Mine");
  await project.call("PATCH", `/v1/ota/segments/${segment.id}`, { name: "Beta testers" });
  await save.click();
  await overtaken.getByRole("button", { name: "Keep my changes" }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Beta testers");
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect(await project.call("GET", `/v1/ota/segments/${segment.id}`)).toMatchObject({ name: "Beta testers", description: "Mine" });
});

test("someone else's change shows immediately in fields that are not edited, and edited fields keep their value", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/settings/project`);
  const networks = page.getByLabel("Trusted networks");
  await expect(networks).toHaveValue("");
  await project.call("PATCH", "/v1/ota/settings", { trustedNetworks: ["192.0.2.0/24"] });
  await expect(networks).toHaveValue("192.0.2.0/24");
  await networks.fill("10.0.0.0/8");
  await project.call("PATCH", "/v1/ota/settings", { hashIds: true });
  await expect(page.getByRole("alert").filter({ hasText: "Someone else saved first" })).toBeVisible();
  await expect(networks).toHaveValue("10.0.0.0/8");
});

test("a release's rollout percentage does not overwrite someone else's change", async ({ page, project, signIn }) => {
  const { id } = await project.publish("The first");
  const share = async () => (await project.call<{ rolloutPercentage: number }>("GET", `/v1/ota/updates/${id}`)).rolloutPercentage;
  await signIn("editor");
  await page.route("**/v1/ota/stream", (route) => route.abort());
  await page.goto(`/app/${project.slug}/releases/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change the rollout percentage" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the rollout percentage" });
  await dialog.getByLabel("Rollout percentage").fill("50");
  await project.call("PATCH", `/v1/ota/updates/${id}`, { rolloutPercentage: 10 });
  const change = dialog.getByRole("button", { name: "Change the rollout percentage" });
  await change.click();
  await expect(dialog.getByRole("alert").filter({ hasText: "Someone else saved first" })).toBeVisible();
  await expect(change).toBeEnabled();
  await axe(page);
  expect(await share()).toBe(10);
  await dialog.getByRole("button", { name: "Keep my changes" }).click();
  await change.click();
  await expect(dialog).toHaveCount(0);
  expect(await share()).toBe(50);
});

test.describe("in New York", () => {
  test.use({ timezoneId: "America/New_York", locale: "en-US" });

  test("a time is entered in the time zone chosen for the page, and the label names that zone", async ({ page, project, signIn }) => {
    await signIn();
    await page.goto(`/app/${project.slug}/settings/keys`);
    const dialog = page.getByRole("dialog");
    const make = async (name: string, zone: string) => {
      await page.getByRole("button", { name: "New key" }).click();
      await expect(dialog.getByLabel("Name")).toBeFocused();
      await dialog.getByLabel("Name").fill(name);
      await dialog.getByLabel(`Expires (${zone})`).focus();
      await page.keyboard.type("01022027\t1000AM");
      await expect(dialog.getByLabel(`Expires (${zone})`)).toHaveValue("2027-01-02T10:00");
      await dialog.getByRole("button", { name: "New key" }).click();
      await dialog.getByRole("button", { name: "I have copied it" }).click();
      await expect(dialog).toHaveCount(0);
    };
    await make("local", "America/New_York");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Times: Local time" }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await make("utc", "UTC");
    const keys = await project.call<{ name: string; expiresAt: string }[]>("GET", "/v1/ota/api-keys");
    const expiresAt = (name: string) => new Date(keys.find((each) => each.name === name)?.expiresAt ?? "").toISOString();
    expect(expiresAt("local")).toBe("2027-01-02T15:00:00.000Z");
    expect(expiresAt("utc")).toBe("2027-01-02T10:00:00.000Z");

    // A stored time is shown in the chosen zone, and does not change when another zone is chosen.
    const startAt = "2027-03-04T20:00:00Z";
    const policy = await project.call<{ id: number }>("POST", "/v1/ota/rollout-policies", { name: "Later", stages: [{ percentage: 100 }], startAt });
    await page.goto(`/app/${project.slug}/policies/${policy.id}`);
    await expect(page.getByLabel("Earliest start of the first stage (UTC)")).toHaveValue("2027-03-04T20:00");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Times: UTC" }).click();
    await expect(page.getByLabel("Earliest start of the first stage (America/New_York)")).toHaveValue("2027-03-04T15:00");
    await page.getByLabel("Description").fill("Begins later");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("The policy is saved.")).toBeVisible();
    const saved = await project.call<{ startAt: string }>("GET", `/v1/ota/rollout-policies/${policy.id}`);
    expect(new Date(saved.startAt).getTime()).toBe(new Date(startAt).getTime());
  });
});

test("a channel's settings do not overwrite someone else's change, but a pause works in spite of one", async ({ page, project, signIn }) => {
  const channel = async () => (await project.call<{ name: string; minRuntimeVersion: string | null; isPaused: boolean }[]>("GET", "/v1/ota/channels")).find(({ name }) => name === "staging");
  await signIn("editor");
  await page.route("**/v1/ota/stream", (route) => route.abort());
  await page.goto(`/app/${project.slug}/channels`);
  const dialog = page.getByRole("dialog");
  const open = async (action: string) => {
    await page.getByRole("row", { name: /^staging/ }).getByRole("button", { name: "Actions for staging" }).click();
    await page.getByRole("menuitem", { name: action }).click();
    await expect(dialog.getByRole("button", { name: action })).toBeVisible();
  };
  await open("Set the minimum runtime version");
  await dialog.getByLabel("Minimum runtime version").fill("2.0.0");
  await project.call("PATCH", "/v1/ota/channels/staging", { minRuntimeVersion: "1.5.0" });
  await dialog.getByRole("button", { name: "Set the minimum runtime version" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "Someone else saved first" })).toBeVisible();
  expect((await channel())?.minRuntimeVersion).toBe("1.5.0");
  await dialog.getByRole("button", { name: "Use their version" }).click();
  await expect(dialog.getByLabel("Minimum runtime version")).toHaveValue("1.5.0");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await open("Pause");
  await project.call("PATCH", "/v1/ota/channels/staging", { minRuntimeVersion: "1.6.0" });
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await channel()).toMatchObject({ minRuntimeVersion: "1.6.0", isPaused: true });
});
