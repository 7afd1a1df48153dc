import { axe } from "./support/axe";
import { expect, test } from "./support/test";

const second = 1_000;

test("a page whose stream is silent for 45 seconds says since when it is not live, connects again and shows what it missed", async ({ page, project, signIn }) => {
  await signIn("viewer");
  const opened: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/v1/ota/stream", async (route) => {
    opened.push(route.request().headers()["last-event-id"] ?? "");
    if (opened.length > 1) await answered;
    await route.continue();
  });
  await page.clock.install();
  await page.goto(`/app/${project.slug}/channels`);
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const note = page.getByText(/^(Live|Not live since .+|Connecting…)$/).first();
  await expect(note).toHaveText("Live");
  await expect(row("production").first()).toBeVisible();

  // The browser slept: its clock has moved, and nothing arrived in the meantime.
  await page.clock.fastForward(30 * second);
  await expect(note).toHaveText("Live");
  expect(opened, "30 seconds of silence are normal").toHaveLength(1);
  await page.clock.fastForward(50 * second);
  await expect(note).toHaveText(/^Not live since \d/);
  await axe(page);
  await project.call("POST", "/v1/ota/channels", { name: "nightly" });
  await expect.poll(() => opened.length).toBe(2);
  expect(opened[1], "the stream continues where it ended").not.toBe("");
  await expect(row("nightly")).toHaveCount(0);

  answer();
  await expect(note).toHaveText("Live");
  await expect(row("nightly").first()).toBeVisible();
  expect(opened).toHaveLength(2);
});
