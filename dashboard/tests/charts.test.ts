import { makeRecords } from "./support/records";
import { expect, test } from "./support/test";

test("charts follow the screen when the phone is turned", async ({ page, project, signIn }) => {
  const rollout = (await makeRecords(project)).find((address) => address.startsWith("rollouts/"));
  await signIn();
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(`/app/${project.slug}/${rollout}`);
  const canvases = page.locator("canvas");
  await expect(canvases).toHaveCount(3);
  const widths = () => canvases.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  const figure = () => page.getByRole("figure").first().evaluate((each) => each.clientWidth);
  const fills = async () => (await widths())[0] === (await figure());
  await expect.poll(fills).toBe(true);
  const wide = await figure();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(fills).toBe(true);
  expect(await figure()).toBeLessThan(wide);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
