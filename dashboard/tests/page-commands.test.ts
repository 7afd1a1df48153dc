import { addresses, recordAddresses } from "./support/addresses";
import { settled, visit } from "./support/look";
import { expect, test } from "./support/seeded";

/** Names of buttons that change only what the page shows. They are not actions, so they are not commands. */
const ofView = /^(Load more|Load again|Try again|Filters.*|Table|Chart|Save as PNG|Save as CSV|Copy.*|Copied|Ask|More|More actions|Export|Actions for .*|What .* gets)$/;

for (const part of [0, 1]) {
  test(`every action button of a page has a command in the palette, part ${part + 1}`, async ({ page, seeded, signIn }) => {
    await signIn();
    await page.goto(`/app/${seeded.slug}/settings/sessions`);
    await settled(page);
    const all = [...addresses, ...Object.values(recordAddresses(seeded))];
    let walked = 0;
    for (const address of all.filter((_, index) => index % 2 === part)) {
      await visit(page, `/app/${seeded.slug}/${address}`);
      const buttons = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main button[class*="whitespace-nowrap"]')]
          .filter((button) => button.checkVisibility() && button.ariaDisabled !== "true" && !button.closest('[role="dialog"], [role="columnheader"], [role="tablist"]'))
          .map((button) => ({ name: button.ariaLabel ?? button.textContent, command: button.dataset.command ?? null })),
      );
      expect.soft(buttons.filter(({ name, command }) => command === null && !ofView.test(name)), `buttons of ${address} without a command`).toEqual([]);
      const commands = [...new Set(buttons.flatMap(({ command }) => command ?? []))];
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
      const offered = await page.getByRole("option").evaluateAll((options) => options.map((option) => option.textContent));
      expect.soft(commands.filter((label) => !offered.some((option) => option.startsWith(label))), `commands of ${address} that the palette does not list`).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      walked += commands.length;
    }
    expect(walked).toBeGreaterThan(0);
  });
}

test("the items of a menu and the state of a flag are commands", async ({ page, seeded, signIn }) => {
  await signIn();
  const records = recordAddresses(seeded);
  for (const [address, labels] of [
    [records.release!, ["Turn the release off", "Make the release critical", "Delete the release"]],
    [records.flag!, ["Turn the flag off", "Delete the flag"]],
    [records.webhook!, ["Rotate the webhook's secret", "Revoke the webhook's secret", "Delete the webhook"]],
    ["audit", ["Export the audit log: As CSV"]],
  ] as const) {
    await page.goto(`/app/${seeded.slug}/${address}`);
    await settled(page);
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
    for (const label of labels) await expect.soft(page.getByRole("option", { name: new RegExp(label) }), `${label} on ${address}`).toHaveCount(1);
    await page.keyboard.press("Escape");
  }
});
