import { expect, type Locator, type Page } from "@playwright/test";

/** Moves the focus with the tab key, forwards and at most once around, until the control has it. */
export async function tabTo(page: Page, control: Locator) {
  await control.waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  expect(await page.evaluate(() => document.activeElement?.outerHTML), `the tab key does not reach ${control}`).toBeNull();
}

/** Waits until the keyboard begins at the content, as it does some time after another page is opened. */
export async function atContent(page: Page) {
  await expect(page.locator("#content")).toBeFocused();
}

/** Waits until the dialog has the keyboard, which it takes some time after it is shown. */
export async function takesKeyboard(dialog: Locator) {
  await expect(dialog.locator(":focus")).toHaveCount(1);
}

/** Moves the focus down in a menu until the item has it, each step after the one before. */
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

/** Leaves the navigation behind: the first control of a page skips it. */
export async function skipToContent(page: Page) {
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await atContent(page);
}

/** Goes to the control by the tab key, and presses a key on it. */
export async function pressOn(page: Page, control: Locator, key = "Enter") {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to the field by the tab key, and types in place of what it has. */
export async function typeInto(page: Page, field: Locator, text: string) {
  await tabTo(page, field);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Goes to a select by the tab key, and picks the option whose text begins so: by typing it, as browsers have it. */
export async function pick(page: Page, select: Locator, label: string) {
  await tabTo(page, select);
  await page.keyboard.type(label);
  await expect(select.locator("option:checked")).toHaveText(new RegExp(`^${label}`));
}
