import { axe } from "./support/axe";
import { Devices, rollOut } from "./support/devices";
import { age } from "./support/logins";
import { password } from "./support/project";
import { expect, test, type Page } from "./support/test";

/** Holds the next change to this path open. The returned function lets it through to the server, or fails it. */
async function hold(page: Page, method: string, path: string) {
  let onArrival = () => {};
  let end: (outcome: "continue" | "fail") => void = () => {};
  const arrived = new Promise<void>((resolve) => (onArrival = resolve));
  const outcome = new Promise<"continue" | "fail">((resolve) => (end = resolve));
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== method) return route.fallback();
      onArrival();
      if ((await outcome) === "continue") await route.continue();
      else await route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify({ code: "unavailable", detail: "Postgres is unavailable" }) });
    },
  );
  return { arrived, end };
}

test("a form stays open while its request runs", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/settings/publishers`);
  await page.getByRole("button", { name: "New publisher" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Issuer").fill("https://tokens.example.com");
  await dialog.getByLabel("Claims").fill("repository = acme/app");
  const request = await hold(page, "PUT", "/v1/ota/trusted-publishers");
  await dialog.getByRole("button", { name: "Save" }).click();
  await request.arrived;
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog.getByRole("button", { name: "Close" })).toBeDisabled();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toHaveAccessibleDescription(/still running/);
  await dialog.getByRole("button", { name: "Cancel" }).click({ force: true });
  await expect(dialog.getByLabel("Issuer")).toHaveValue("https://tokens.example.com");
  await axe(page);
  request.end("continue");
  await expect(dialog).toHaveCount(0);
});

test("a failure after the page is left is a message that stays until it is closed", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "Suspect", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/rollouts`);
  await page.locator(`a[href$="/rollouts/${rollout}"]`).first().click();
  await page.getByRole("button", { name: "Pause" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause" });
  const request = await hold(page, "POST", `/v1/ota/rollout-executions/${rollout}/pause`);
  await dialog.getByRole("button", { name: "Pause" }).click();
  await request.arrived;
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Rollouts" })).toBeVisible();
  await page.clock.install();
  request.end("fail");
  const message = page.getByRole("region", { name: "Notifications" }).getByRole("group", { name: /^Not applied: Pause/ });
  await expect(message).toContainText("Postgres is unavailable");
  await page.clock.fastForward("10:00");
  await expect(message).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await axe(page);
  await message.getByRole("button", { name: "Close" }).click();
  await expect(message).toHaveCount(0);
});

test("a secret that is shown once is closed only by its button", async ({ page, project, signIn }) => {
  await signIn();
  await page.goto(`/app/${project.slug}/settings/members`);
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("ci");
  await dialog.getByRole("button", { name: "New key" }).click();
  const secret = dialog.locator("code", { hasText: /^waft_/ });
  await expect(secret).toBeVisible();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await dialog.getByRole("button", { name: "Close" }).click({ force: true });
  await page.goBack();
  await expect(page).toHaveURL(/settings\/keys$/);
  await expect(secret).toBeVisible();
  await axe(page);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(dialog).toHaveCount(0);
});

test("after a lost response, another reason is another request", async ({ page, project, signIn }) => {
  await Devices.make(project, 0);
  await project.publish("Stable");
  const { rollout } = await rollOut(project, "Suspect", [{ percentage: 10, minDevices: 1, minDurationMinutes: 600 }]);
  const path = `/v1/ota/rollout-executions/${rollout}`;
  await signIn("editor");
  await page.goto(`/app/${project.slug}/rollouts/${rollout}`);
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
  await dialog.getByLabel("Reason").fill("slow");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(dialog.getByText("This may have gone through.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("it crashes");
  const response = page.waitForResponse((each) => new URL(each.url()).pathname === `${path}/pause`);
  await dialog.getByRole("button", { name: "Pause" }).click();
  const answer = await response;
  expect(await answer.text()).not.toContain("idempotency_mismatch");
});

test("an expired session keeps what was typed in a dialog and in a form", async ({ page, project, signIn, request }) => {
  const email = await signIn("admin");
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await page.route("**/v1/ota/stream", (route) => route.abort());
  await page.goto(`/app/${project.slug}/flags`);
  await page.getByRole("button", { name: "New flag" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New flag" });
  await dialog.getByLabel("Key").fill("dark-mode");
  await age(request, email, "expired");
  await dialog.getByRole("button", { name: "Create" }).click();
  // Without signing in, the dialog keeps its input, and can be sent again.
  await expect(again.getByLabel("Password")).toBeVisible();
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(again).toHaveCount(0);
  await expect(dialog.getByLabel("Key")).toHaveValue("dark-mode");
  await dialog.getByRole("button", { name: "Create" }).click();
  await again.getByLabel("Password").fill(password);
  await again.getByRole("button", { name: "Continue" }).click();
  await expect.poll(async () => (await project.call<{ key: string }[]>("GET", "/v1/ota/flags")).map(({ key }) => key)).toEqual(["dark-mode"]);

  await page.goto(`/app/${project.slug}/settings/project`);
  await page.getByLabel("Trusted networks").fill("10.0.0.0/8");
  await age(request, email, "expired");
  await page.getByRole("button", { name: "Save" }).click();
  await again.getByLabel("Password").fill(password);
  await again.getByRole("button", { name: "Continue" }).click();
  await expect.poll(async () => (await project.call<{ trustedNetworks: string[] }>("GET", "/v1/ota/settings")).trustedNetworks).toEqual(["10.0.0.0/8"]);
  await expect(page.getByLabel("Trusted networks")).toHaveValue("10.0.0.0/8");
});
