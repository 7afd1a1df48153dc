import { Clicks } from "./support/clicks";
import { axe } from "./support/axe";
import { password, url } from "./support/project";
import { expect, test } from "./support/test";

test("a colleague is invited, a channel is protected, and a change by one is approved by the other, in 12 clicks of both", async ({ page, project, signIn, browser }) => {
  // The newer release replaced the older one when a fifth of the devices had it. So devices have never all had the older one.
  const partial = await project.publish("Redesign", undefined, "production", "ios", { rolloutPercentage: 20 });
  await project.publish("Hotfix");
  await signIn("admin");
  await page.context().grantPermissions(["clipboard-write"]);
  await page.goto(`/app/${project.slug}/overview`);
  const main = page.getByRole("navigation", { name: "Main" }).first();
  const clicks = new Clicks();

  await clicks.on(main.getByRole("link", { name: "Members" }));
  await clicks.on(page.getByRole("button", { name: "Invite" }));
  const invitation = page.getByRole("dialog", { name: "Invite" });
  await clicks.type(invitation.getByLabel("Email address"), `kim-${project.slug}@example.com`);
  await page.keyboard.press("Enter");
  await clicks.on(invitation.getByRole("button", { name: "Copy" }));
  const link = (await invitation.locator("code").textContent()) ?? "";
  await clicks.on(invitation.getByRole("button", { name: "I have copied it" }));

  // Kim opens the link in another browser, and types: a name, Tab, a password, Enter.
  const theirs = await browser.newContext({ baseURL: url });
  const other = await theirs.newPage();
  await other.goto(link);
  await expect(other.getByLabel("Your name")).toBeFocused();
  await other.keyboard.type("Kim Doe");
  await other.keyboard.press("Tab");
  await other.keyboard.type(password);
  await other.keyboard.press("Enter");
  await expect(other.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await clicks.on(main.getByRole("link", { name: "Channels" }));
  await clicks.on(page.getByRole("button", { name: "Protect the channel production" }));
  const protection = page.getByRole("dialog");
  await expect(protection.getByLabel("Approvals required")).toHaveValue("1");
  await clicks.on(protection.getByRole("button", { name: "Protect" }));
  await expect(page.getByRole("table", { name: "Channels" }).getByRole("row", { name: /^production/ })).toContainText("1 approval");

  await clicks.on(other.getByRole("button", { name: /^Roll back production · iOS/ }));
  const rollback = other.getByRole("dialog", { name: "Roll back production · iOS" });
  await expect(rollback.getByRole("radio", { name: /^Redesign/ })).toBeChecked();
  await clicks.on(rollback.getByRole("button", { name: "Roll back" }));
  await expect(other.getByText("This change waits for approval")).toBeVisible();

  const served = async () => {
    const { updateId } = await project.call<{ updateId: number }>("GET", "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=d");
    return (await project.call<{ republishedFromId: number | null }>("GET", `/v1/ota/updates/${updateId}`)).republishedFromId;
  };
  expect(await served(), "the change waits").toBeNull();
  await expect(main.getByRole("link", { name: "Approvals 1 waiting for you" })).toBeVisible();
  await clicks.on(main.getByRole("link", { name: /^Approvals/ }));
  await clicks.on(page.getByRole("button", { name: /^Approve: / }));
  const approval = page.getByRole("dialog", { name: "Approve the change" });
  await expect(approval).toContainText(/^Approve the change.*kim-.*@example\.com asks to/);
  await expect(approval.getByRole("region", { name: "What this does" })).toContainText("100% of devices");
  await axe(page);
  await clicks.on(approval.getByRole("button", { name: "Approve" }));
  await expect(page.getByText("You approved the change.")).toBeVisible();
  await expect.poll(served).toBe(partial.id);
  clicks.expect(12, { most: 12 });
  await theirs.close();
});
