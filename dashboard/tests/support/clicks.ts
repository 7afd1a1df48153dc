import { expect, type Locator } from "@playwright/test";

/**
 * Counts the clicks of a task, of all people who take part in it. Typing, Tab, and Enter at the end of what was typed are not clicks.
 * A select takes one click, because its options are found by typing.
 */
export class Clicks {
  private count = 0;

  /** Clicks on the control. */
  async on(control: Locator) {
    this.count++;
    await control.click();
  }

  /** Types into the field. Without focus in the field, typing takes a click first. */
  async type(field: Locator, text: string) {
    await field.waitFor();
    if (!(await field.evaluate((element) => element === document.activeElement))) await this.on(field);
    await field.fill(text);
  }

  /** Chooses an option of a select. */
  async choose(select: Locator, label: string) {
    this.count++;
    await select.selectOption(label);
  }

  /** Expects the number of clicks that the task takes, which must not exceed `most`. */
  expect(taken: number, { most }: { most: number }) {
    expect(taken).toBeLessThanOrEqual(most);
    expect(this.count, "clicks").toBe(taken);
  }
}
