import { expect, type Locator, type Page } from "@playwright/test";

/** Presses Tab until the control has focus, at most once around the page. */
export async function tabTo(page: Page, control: Locator) {
  await control.waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  expect(await page.evaluate(() => document.activeElement?.outerHTML), `the tab key does not reach ${control}`).toBeNull();
}

/** Waits until the content has focus, which happens some time after another page is opened. */
export async function atContent(page: Page) {
  await expect(page.locator("#content")).toBeFocused();
}

/** Waits until focus is in the dialog, which happens some time after it is shown. */
export async function takesKeyboard(dialog: Locator) {
  await expect(dialog.locator(":focus")).toHaveCount(1);
}

/** Moves focus down in a menu until the item has it. Each press waits for the previous one to take effect. */
export async function moveTo(page: Page, menu: Locator, item: Locator) {
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect(menu.or(menu.locator("*")).and(page.locator(":focus"))).toHaveCount(1);
  for (let presses = 0; presses < 20; presses++) {
    if (await item.evaluate((element) => element === document.activeElement)) return;
    const before = await focused();
    await page.keyboard.press("ArrowDown");
    await expect.poll(focused).not.toBe(before);
  }
  await expect(item).toBeFocused();
}

/** Skips the navigation by the first control of the page. */
export async function skipToContent(page: Page) {
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await atContent(page);
}

/** Moves focus to the control by Tab, and presses a key on it. */
export async function pressOn(page: Page, control: Locator, key = "Enter") {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Moves focus to the field by Tab, and replaces its text by typing. */
export async function typeInto(page: Page, field: Locator, text: string) {
  await tabTo(page, field);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Moves focus to a select by Tab, and types the beginning of an option's label to choose it. */
export async function pick(page: Page, select: Locator, label: string) {
  await tabTo(page, select);
  await page.keyboard.type(label);
  await expect(select.locator("option:checked")).toHaveText(new RegExp(`^${label}`));
}
