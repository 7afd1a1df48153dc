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

/** Expects that focus is on a control, and that it can be seen. */
export async function expectFocus(page: Page) {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        if (focused === document.body) return "focus is lost";
        const { outlineStyle, outlineWidth } = getComputedStyle(focused);
        const isSeen = focused.id === "content" || (outlineStyle !== "none" && parseFloat(outlineWidth) > 0);
        return isSeen ? "" : `focus cannot be seen on ${focused.outerHTML.slice(0, 200)}`;
      }),
    )
    .toBe("");
}

/** Opens the item of a menu by keyboard. */
export async function choose(page: Page, menu: string | RegExp, item: string) {
  await pressOn(page, page.getByRole("button", { name: menu }));
  const entry = page.getByRole("menuitem", { name: item });
  await moveTo(page, page.getByRole("menu"), entry);
  await expectFocus(page);
  await page.keyboard.press("Enter");
}

/** Returns the open dialog once it has focus. */
export async function dialogOf(page: Page) {
  const dialog = page.getByRole("dialog").last();
  await takesKeyboard(dialog);
  return dialog;
}

/** Presses the button of the open dialog as soon as that is possible. */
export async function pressInDialog(page: Page, name: string) {
  const button = page.getByRole("dialog").last().getByRole("button", { name, exact: true });
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
  await pressOn(page, button);
}

/** Presses the button of the open dialog, and expects focus on the page after the dialog has closed. */
export async function confirmDialog(page: Page, name: string) {
  await pressInDialog(page, name);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectFocus(page);
}

/** Opens a page of the dashboard, and waits for its data. */
export async function openPage(page: Page, path: string, title: string) {
  await page.goto(`/app/${path}`);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
}
