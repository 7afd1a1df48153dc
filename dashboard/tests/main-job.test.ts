import { axe } from "./support/axe";
import { Devices, rollOut, type Execution } from "./support/devices";
import { expect, test, type Page } from "./support/test";

const second = 1 / 60;

/** Marks the page's document. A reload would remove the mark. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isTheSame: true }));
const isMarked = (page: Page) => page.evaluate(() => "isTheSame" in window);

/** Returns the server's reason with percentages as the dashboard writes them. */
const onScreen = (reason: string) => reason.replaceAll(" %", "%");

test("a rollout's stages advance on the page without a reload, and crashes roll it back with the reason shown", { tag: "@short" }, async ({ page, project, signIn }) => {
  // Devices are inside the rollout at random. With 60 devices, fewer than 4 are in the first 30% less than once in 500,000 runs;
  // with 30 devices, once in 100 runs.
  const devices = await Devices.make(project, 60);
  const stable = await project.publish("Stable");
  await signIn("editor");
  const overview = await page.context().newPage();
  await overview.goto(`/app/${project.slug}/overview`);
  await expect(overview.getByRole("link", { name: "Stable" })).toBeVisible();
  await mark(overview);

  const broken = await rollOut(project, "Broken", [
    { percentage: 30, minDevices: 3, minDurationMinutes: second },
    { percentage: 70, minDevices: 3, minDurationMinutes: 600 },
  ]);
  await expect(overview.getByRole("link", { name: "Rolling out: 30%" })).toBeVisible();

  await page.goto(`/app/${project.slug}/rollouts/${broken.rollout}`);
  const stage = (number: number) => page.getByRole("region", { name: "Stages" }).getByRole("listitem").nth(number - 1);
  const share = page.getByRole("meter", { name: "Rollout percentage" });
  await expect(stage(1)).toContainText("now");
  await expect(stage(2)).toContainText("to come");
  await expect(share).toHaveAttribute("aria-valuenow", "30");
  await mark(page);

  const early = await devices.report(broken.updateUuid, "app_launch", 3);
  await expect(stage(2)).toContainText("now");
  await expect(stage(1)).toContainText("done");
  await expect(share).toHaveAttribute("aria-valuenow", "70");
  await expect(page.getByText("moved it to the next stage")).toBeVisible();
  await expect(overview.getByRole("link", { name: "Rolling out: 70%" })).toBeVisible();

  await devices.report(broken.updateUuid, "crash", early.length);
  const reason = page.locator("[aria-live=polite]").filter({ hasText: "crash rate" });
  await expect(reason).toBeVisible();
  await expect(page.getByText("Rolled back", { exact: true }).first()).toBeVisible();
  await expect(stage(2)).toContainText("ended here");
  await expect(stage(3)).toContainText("not reached");
  await expect(page.getByRole("listitem").filter({ hasText: "Waft rolled it back" })).toContainText("crash rate");
  for (const command of ["Pause", "Advance", "Cancel rollout", "Roll back"]) await expect(page.getByRole("button", { name: command })).toHaveCount(0);

  const ended = await project.call<Execution>("GET", `/v1/ota/rollout-executions/${broken.rollout}`);
  expect(ended.status).toBe("rolled_back");
  expect(ended.health?.crashedDevices).toBeGreaterThan(0);
  await expect(reason).toHaveText(onScreen(ended.reason), { ignoreCase: true });
  const health = page.getByRole("region", { name: "Health" });
  await expect(health).toContainText(`${ended.health?.crashedDevices} of ${ended.health?.devices}, threshold 2%`);
  await expect(health).toContainText(`${ended.health?.launches} launches`);

  const changes = overview.getByRole("region", { name: "Last changes" });
  await expect(changes.getByText(onScreen(ended.reason)), "the rollback is listed once").toHaveCount(1);
  await expect(changes.getByText("rolled back").first()).toBeVisible();
  await changes.getByRole("link", { name: /^the rollout of/ }).first().click();
  await expect(overview).toHaveURL(new RegExp(`/rollouts/${broken.rollout}$`));
  await overview.goBack();
  await expect(overview.getByRole("link", { name: /Rolling out/ })).toHaveCount(0);
  await expect(overview.getByRole("link", { name: "Stable" })).toBeVisible();
  expect(await devices.having(stable.updateUuid)).not.toEqual([]);

  expect(await isMarked(page)).toBe(true);
  expect(await isMarked(overview)).toBe(true);
  await axe(page);
  await axe(overview);

  const { updateId } = await project.call<{ updateId: number }>("GET", `/v1/ota/rollout-executions/${broken.rollout}`);
  await page.goto(`/app/${project.slug}/releases/${updateId}`);
  await expect(page.getByRole("region", { name: "History" }).getByText(onScreen(ended.reason))).toHaveCount(1);
});
