import { Clicks } from "./support/clicks";
import { atContent, pick, pressOn, skipToContent, takesKeyboard, typeInto } from "./support/keyboard";
import type { Project } from "./support/project";
import { expect, test } from "./support/test";

interface Flag {
  id: number;
  key: string;
  rules: { id: number; ruleType: string; variantValue: string }[];
  environments: { channelName: string; enabled: boolean; isEnabledInherited: boolean }[];
}

const makeFlag = (project: Project) => project.call<Flag>("POST", "/v1/ota/flags", { name: "Checkout", flagType: "boolean", defaultValue: false });

/** Returns the flag's value that a device on the channel gets for a targeting key. */
async function told(project: Project, targetingKey: string) {
  const answer = await project.call<{ flags: Record<string, { value: unknown }> }>("POST", "/v1/ota/flag-evaluations-bulk", {
    projectSlug: project.slug,
    channel: "production",
    deviceId: `device of ${targetingKey}`,
    targetingKey,
  });
  return answer.flags.checkout?.value;
}

test("a flag is edited in the dashboard, and devices get the new value", { tag: "@short" }, async ({ page, project, signIn }) => {
  const flag = await makeFlag(project);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/flags/${flag.id}`);
  await expect.poll(() => told(project, "ada")).toBe(false);

  // A rule is added.
  await page.getByRole("button", { name: "Add rule" }).click();
  const builder = page.getByRole("dialog", { name: "New rule" });
  await builder.getByLabel("Matches").selectOption("Users by ID");
  await builder.getByLabel("Flag value").selectOption("On");
  await builder.getByLabel("User IDs").fill("ada\ngrace");
  await builder.getByRole("button", { name: "Add rule" }).click();
  await expect(page.getByText("Users “ada” and “grace” get On.")).toBeVisible();
  expect(await told(project, "ada"), "the draft is not stored").toBe(false);
  await page.getByRole("button", { name: "Review 1 change" }).click();
  const review = page.getByRole("dialog", { name: "What changes" });
  await expect(review.getByText("Users “ada” and “grace” get On.")).toBeVisible();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The flag is saved.")).toBeVisible();
  await expect.poll(() => told(project, "ada")).toBe(true);
  expect(await told(project, "linus")).toBe(false);

  // The rule is changed, and a channel gets its own state.
  await page.getByRole("button", { name: "Edit rule 1" }).click();
  await page.getByLabel("User IDs").fill("linus");
  await page.getByRole("button", { name: "Change rule" }).click();
  await page.getByRole("tab", { name: "Channels" }).click();
  const state = page.getByLabel("State on production");
  await expect(state).toHaveValue("follow");
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(review).toHaveCount(0);
  await expect.poll(() => told(project, "linus")).toBe(true);
  expect(await told(project, "ada")).toBe(false);
  await state.selectOption("Off");
  await page.getByRole("button", { name: "Review 1 change" }).click();
  await expect(review.getByText("On production")).toBeVisible();
  await review.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => told(project, "linus")).toBe(false);
  const stored = await project.call<Flag>("GET", `/v1/ota/flags/${flag.id}`);
  expect(stored.rules).toHaveLength(1);
  expect(stored.environments.find(({ channelName }) => channelName === "production")).toMatchObject({ enabled: false, isEnabledInherited: false });
});

test("an edit that conflicts with another one shows it, and loses neither", async ({ page, project, signIn }) => {
  const flag = await makeFlag(project);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/flags/${flag.id}`);
  await page.getByRole("button", { name: "Add rule" }).click();
  const builder = page.getByRole("dialog", { name: "New rule" });
  await builder.getByLabel("Matches").selectOption("Users by ID");
  await builder.getByLabel("Flag value").selectOption("On");
  await builder.getByLabel("User IDs").fill("ada");
  await builder.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Review 1 change" }).click();

  // Someone else saves a change while the review is open.
  const rule = { ruleType: "user_list", ruleConfig: { userIds: ["grace"] }, variantValue: "true" };
  await project.call("POST", `/v1/ota/flags/${flag.id}/rules`, rule);
  const review = page.getByRole("dialog", { name: "What changes" });
  await review.getByRole("button", { name: "Save" }).click();
  await expect(review.getByRole("alert")).toContainText("Someone else changed the flag while you were editing. The root key saved first");
  expect((await project.call<Flag>("GET", `/v1/ota/flags/${flag.id}`)).rules, "the other change is not overwritten").toHaveLength(1);

  // My changes are applied on top of theirs.
  await review.getByRole("button", { name: "Keep my changes" }).click();
  await expect(review.getByRole("alert")).toHaveCount(0);
  await expect(review.getByText("Users “ada” get On.")).toBeVisible();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The flag is saved.")).toBeVisible();
  await expect(review).toHaveCount(0);
  await expect(page.getByText("Users “grace” get On.")).toBeVisible();
  await expect(page.getByText("Users “ada” get On.")).toBeVisible();
  await expect.poll(() => told(project, "ada")).toBe(true);
  expect(await told(project, "grace")).toBe(true);
});

test("a flag is edited with the keyboard alone", async ({ page, project, signIn }) => {
  const flag = await makeFlag(project);
  await signIn("editor");
  await page.goto(`/app/${project.slug}/flags`);
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
  await skipToContent(page);
  await pressOn(page, page.getByRole("link", { name: "Checkout" }).first());
  await expect(page).toHaveURL(new RegExp(`/flags/${flag.id}`));
  await atContent(page);

  await pressOn(page, page.getByRole("button", { name: "Add rule" }));
  const builder = page.getByRole("dialog", { name: "New rule" });
  await takesKeyboard(builder);
  await pick(page, builder.getByLabel("Matches"), "Users by ID");
  await pick(page, builder.getByLabel("Flag value"), "On");
  await typeInto(page, builder.getByLabel("User IDs"), "ada");
  await pressOn(page, builder.getByRole("button", { name: "Add rule" }));
  await expect(builder).toHaveCount(0);
  await pressOn(page, page.getByRole("button", { name: "Review 1 change" }));
  const review = page.getByRole("dialog", { name: "What changes" });
  await takesKeyboard(review);
  await expect(review.getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-disabled", "true");
  await pressOn(page, review.getByRole("button", { name: "Save" }));
  await expect(page.getByText("The flag is saved.")).toBeVisible();
  await expect.poll(() => told(project, "ada")).toBe(true);
});

test("a flag for 10% of iOS devices takes one save, and at most 12 clicks with the reason of its value", { tag: "@short" }, async ({ page, project, signIn }) => {
  // A device has evaluated flags, so its attributes are suggested, and the preview counts it.
  await makeFlag(project);
  await expect.poll(() => told(project, "ada")).toBe(false);
  await project.call("POST", "/v1/ota/flag-evaluations-bulk", {
    projectSlug: project.slug,
    channel: "production",
    deviceId: "ada",
    platform: "ios",
    attributes: { plan: "pro" },
  });
  await expect.poll(() => project.call<{ name: string }[]>("GET", "/v1/ota/contexts/attributes")).toContainEqual(expect.objectContaining({ name: "plan" }));
  await signIn("editor");
  const writes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes("/v1/ota/flags")) writes.push(`${request.method()} ${new URL(request.url()).pathname.replace(/flags\/\d+/, "flags/{id}")}`);
  });
  await page.goto(`/app/${project.slug}/`);
  const clicks = new Clicks();
  await clicks.on(page.getByRole("navigation").getByRole("link", { name: "Flags" }).first());
  await clicks.on(page.getByRole("button", { name: "New flag" }).first());
  await expect(page.getByRole("dialog", { name: "New flag" }).getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type("search");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "search" })).toBeVisible();

  await clicks.on(page.getByRole("button", { name: "Add rule" }));
  const builder = page.getByRole("dialog", { name: "New rule" });
  await expect(page.locator("datalist#attributes-of-contexts option[value=plan]")).toHaveCount(1);
  await clicks.type(builder.getByLabel("Attribute"), "platform");
  await clicks.type(builder.getByLabel("Value 1"), "ios");
  await clicks.choose(builder.getByLabel("Flag value"), "Split by percentage");
  await expect(builder.getByText("10% of devices whose platform is ios get On")).toBeVisible();
  await clicks.on(builder.getByRole("button", { name: "Add rule" }));
  await clicks.on(page.getByRole("button", { name: "Review 1 change" }));
  const review = page.getByRole("dialog", { name: "What changes" });
  await expect(review.getByRole("region", { name: "Effect" })).toContainText("would get another value, by the contexts of the last 7 days");
  await clicks.on(review.getByRole("button", { name: "Save" }));
  await expect(page.getByText("The flag is saved.")).toBeVisible();
  expect(writes.filter((each) => !each.endsWith("/preview"))).toEqual(["POST /v1/ota/flags", "PUT /v1/ota/flags/{id}"]);

  await clicks.on(page.getByRole("tab", { name: "Explain" }));
  await clicks.choose(page.getByLabel("Platform"), "iOS");
  await clicks.type(page.getByLabel("Targeting key"), "ada");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/(Not in the 10%|In the first 10%): its position is [\d.]+%\./)).toBeVisible();
  clicks.expect(12, { most: 12 });
  const stored = await project.call<Flag[]>("GET", "/v1/ota/flags");
  expect(stored.find(({ key }) => key === "search")?.rules).toHaveLength(1);
});
