import type { Page } from "@playwright/test";
import { addresses, recordAddresses } from "./support/addresses";
import { accessible, axe } from "./support/axe";
import { settled, visit } from "./support/look";
import { expect, test } from "./support/seeded";
import { test as fresh } from "./support/test";

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
});

async function open(page: Page, slug: string) {
  await page.goto(`/app/${slug}/settings/sessions`);
  await settled(page);
}

/** Addresses of records that do not exist, one for each page that shows a record. */
const missing = ["releases/1", "releases/compare?release=1&with=2", "rollouts/1", "policies/1", "flags/1", "observe/none", "devices/nobody", "webhooks/1", "approvals/1"];

/** Returns every other entry, so that both workers have the same amount of work. */
const half = <T>(list: T[], which: number) => list.filter((_, index) => index % 2 === which);

for (const part of [0, 1]) {
  test(`every page with data is accessible, part ${part + 1}`, { tag: "@short" }, async ({ page, seeded, signIn }) => {
    await signIn();
    await open(page, seeded.slug);
    for (const address of half([...addresses, ...Object.values(recordAddresses(seeded))], part)) {
      await visit(page, `/app/${seeded.slug}/${address}`);
      await expect.soft(page.getByRole("alert"), `a part of ${address} failed`).toHaveCount(0);
      await accessible(page);
    }
  });

  test(`every page whose requests fail is accessible, part ${part + 1}`, async ({ page, seeded, signIn }) => {
    await signIn();
    // Requests fail from the first page on, so that no data is cached.
    await page.route(/\/v1\/(ota|auth\/sessions)/, (route) =>
      route.fulfill({ status: 500, contentType: "application/problem+json", body: '{"status":500,"code":"internal","detail":"Something failed in Waft.","requestId":"0d9c"}' }),
    );
    await open(page, seeded.slug);
    for (const address of half([...addresses, ...missing], part)) {
      await visit(page, `/app/${seeded.slug}/${address}`);
      await accessible(page);
    }
  });
}

test("no page is wider than the window, and no column of a table is cut off, between a phone and a wide screen", async ({ page, seeded, signIn }) => {
  await signIn();
  await open(page, seeded.slug);
  for (const width of [360, 768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of addresses) {
      await visit(page, `/app/${seeded.slug}/${address}`);
      const outside = await page.evaluate(() => {
        const right = (element: Element) => element.getBoundingClientRect().right;
        const cells = [...document.querySelectorAll("main [role=cell], main [role=columnheader]")];
        const cut = cells.filter((cell) => right(cell) > right(cell.closest("[role=table]")!) + 1).map((cell) => cell.textContent);
        const over = cells.flatMap((cell) => [...cell.querySelectorAll("span.whitespace-nowrap")].filter((badge) => right(badge) > right(cell) + 1).map((badge) => `${badge.textContent} over the next column`));
        return [...cut, ...over, ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : [])];
      });
      expect.soft(outside, `${address} at ${width} pixels`).toEqual([]);
    }
  }
});

fresh("every page without data is accessible, including the pages of records that do not exist", async ({ page, project, signIn }) => {
  await signIn();
  await open(page, project.slug);
  for (const address of [...addresses, ...missing]) {
    await visit(page, `/app/${project.slug}/${address}`);
    await accessible(page);
  }
});

fresh("the pages for people who are not signed in are accessible", { tag: "@short" }, async ({ page, project }) => {
  const { token } = await project.invite("viewer");
  for (const address of ["login", "setup#aaaaaaaaaaaaaaaa", `invite#${token}`, "setup", "invite", "forgot", "reset", "reset#aaaaaaaaaaaaaaaa"]) {
    await page.goto("about:blank");
    await page.goto(`/app/${address}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await accessible(page);
  }
  await page.route("**/v1/auth/**", (route) => route.fulfill({ status: 503 }));
  await page.goto("/app/login");
  await expect(page.getByRole("alert")).toBeVisible();
  await accessible(page);
});

// Each page with the buttons on it that open a dialog or a menu. The test presses them in this order.
const dialogs: [page: string, ...openers: (string | RegExp)[]][] = [
  ["overview", /^Roll back production · iOS/, /^Roll back production · Android/],
  ["release", "Republish", "Roll back"],
  ["rollouts", "Start a rollout"],
  ["rollout", "Pause", "Advance", "Cancel rollout", "Roll back"],
  ["channels", "New branch", "New channel", /^Protect/],
  ["flags", "New flag"],
  ["flag", "Add rule", "Delete"],
  ["segments", "New segment"],
  ["contexts", "Pin a context"],
  ["incidents", /^Note/],
  ["device", "Erase its data"],
  ["webhooks", "New webhook"],
  ["webhook", "Edit"],
  ["overrides", "Add an override"],
  ["approval", "Reject"],
  ["approvals", /^Approve/],
  ["policy without rollouts", "Delete"],
  ["settings/project", "Stop the project"],
  ["settings/keys", "New key", /^Revoke/],
  ["settings/members", "Invite", /^Remove/, /^Withdraw/],
  ["settings/signing", "Delete the key"],
  ["settings/publishers", "New publisher", /^Remove/],
];

for (const part of [0, 1]) {
  test(`every dialog is accessible, part ${part + 1}`, async ({ page, seeded, signIn }) => {
    await signIn();
    await open(page, seeded.slug);
    const records = recordAddresses(seeded);
    for (const [name, ...openers] of half(dialogs, part)) {
      await visit(page, `/app/${seeded.slug}/${records[name] ?? name}`);
      for (const opener of openers) {
        await page.getByRole("main").getByRole("button", { name: opener, exact: true }).first().click();
        const dialog = page.getByRole("dialog");
        await expect(dialog, `${opener} of ${name}`).toHaveCount(1);
        await expect(dialog.getByRole("status", { name: "Loading" })).toHaveCount(0);
        await accessible(page, "[role=dialog]");
        await page.keyboard.press("Escape");
        await expect(dialog).toHaveCount(0);
      }
    }
  });
}

test("menus, the palette and the help are accessible", async ({ page, seeded, signIn }) => {
  await signIn();
  await open(page, seeded.slug);
  await visit(page, `/app/${seeded.slug}/channels`);
  for (const menu of [/^Account/, /^Switch/, /^More|^Actions/]) {
    await page.getByRole("button", { name: menu }).first().click();
    await expect(page.getByRole("menu")).toBeVisible();
    await axe(page, { within: "[role=menu]" });
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
  }
  for (const key of ["Control+k", "?"]) {
    await page.keyboard.press(key);
    await expect(page.getByRole("dialog")).toBeVisible();
    await accessible(page, "[role=dialog]");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});
